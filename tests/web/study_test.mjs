// Checks in a real browser what a reader of a study's page relies on: study_test.mjs PROGRAM. page_test.mjs shows that every
// page opens, fits and is accessible.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import test, {after, before} from 'node:test';
import {launch, open, perpend, temporaryFolder} from './browser.mjs';
import {hostile, writtenOut} from './hostile.mjs';
import {studies, sweep} from './studies.mjs';

const folder = temporaryFolder();
const at = (name) => join(folder, name);
let browser;

before(async () => {
  perpend('report', ...studies(at).study(), '-o', at('study.html'));
  browser = await launch();
});
after(() => browser.close());

const chartsOf = (view) => view.evaluate(() => JSON.parse(document.getElementById('charts').textContent));
const marksOf = (view, chart) => view.locator(`#${chart} .plot svg .mark-symbol.role-mark path`).evaluateAll((all) => all.map((one) => one.getAttribute('transform')));

test('the page shows every chart of a study, and its numbers are those of the table', async () => {
  const {page: view, faults, close} = await open(browser, at('study.html'));
  const charts = await chartsOf(view);
  assert.deepEqual(charts.map((chart) => chart.id), ['lambda', 'size', 'similarity', 'q-statistic', 'auc-cos2', 'auc-rho', 'time']);
  const lines = perpend('table', at('study'), '--format', 'csv').trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const shown = await view.locator('#table tbody tr').allInnerTexts();
  const aucs = lines.filter((line) => line[3] === 'auc').map((line) => Number(line[4]).toFixed(3));
  assert.equal(shown.length, aucs.length);
  shown.forEach((text, i) => assert.ok(text.includes(aucs[i]), `${text} has no ${aucs[i]}`));
  assert.deepEqual(faults, []);
  await close();
});

test('the number of networks is chosen by mouse and keyboard, and its rows are drawn', async () => {
  const {page: view, faults, close} = await open(browser, at('study.html'));
  const choices = view.locator('#lambda .choice input');
  assert.equal(await choices.count(), 2);
  const before = await marksOf(view, 'lambda');
  assert.ok(before.length > 0);
  await view.locator('#lambda .choice input:checked').focus();
  await view.keyboard.press('ArrowLeft');
  let now = before;
  for (let tries = 0; tries < 100 && now.join() === before.join(); ++tries) {
    await view.waitForTimeout(200);
    now = await marksOf(view, 'lambda');
  }
  assert.notDeepEqual(now, before);
  assert.equal(now.length, before.length);
  assert.deepEqual(faults, []);
  await close();
});

test('charts that share a table save and show all of it', async () => {
  const {page: view, close} = await open(browser, at('study.html'));
  const rows = (await chartsOf(view)).find((chart) => chart.id === 'lambda').rows.length;
  for (const chart of ['lambda', 'similarity', 'auc-rho']) {
    const [download] = await Promise.all([view.waitForEvent('download'), view.locator(`#${chart} button[data-save=csv]`).click()]);
    const csv = readFileSync(await download.path(), 'utf8').trimEnd().split('\n');
    assert.equal(csv.length, rows + 1);
    assert.ok(csv[0].startsWith('place,method,members,lambda'));
  }
  await close();
});

test('a tooltip tells what is under the pointer', async () => {
  const {page: view, close} = await open(browser, at('study.html'));
  const tooltip = view.locator('#tooltip');
  for (const [chart, words] of [['lambda', /method.*lambda.*AUC/s], ['size', /networks.*AUC/s], ['similarity', /where.*cos²/s]]) {
    await view.locator(`#${chart} .plot`).scrollIntoViewIfNeeded();
    const mark = view.locator(`#${chart} .plot svg .mark-symbol.role-mark path`).first();
    for (let tries = 0; tries < 40 && await tooltip.isHidden(); ++tries) {
      const box = await mark.boundingBox();
      await view.mouse.move(box.x + box.width / 2 - 1, box.y + box.height / 2 - 1);
      await view.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await view.waitForTimeout(250);
    }
    assert.match(await tooltip.innerText(), words);
    await view.keyboard.press('Escape');
  }
  await close();
});

test('printed, it is light and says what was chosen', async () => {
  const {page: view, close} = await open(browser, at('study.html'), {scheme: 'dark'});
  await view.emulateMedia({media: 'print', colorScheme: 'dark'});
  assert.equal(await view.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await view.locator('button:visible').count(), 0);
  assert.equal(await view.locator('.choice label:visible').count(), 1);
  assert.ok((await view.pdf()).length > 10000);
  await close();
});

test('figures that reproduce draws open in a page that asks for nothing', async () => {
  for (const figure of ['figure-lambda', 'figure-size', 'figure-metrics']) {
    perpend('reproduce', figure, '--study', at('study'), '-o', at('figures'));
    const {page: view, faults, close} = await open(browser, at(`figures/${figure}.html`), {width: 390});
    assert.deepEqual(faults, []);
    assert.ok(await view.locator('.drawing img').first().evaluate((img) => img.naturalWidth > 300));
    assert.ok(await view.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await close();
  }
});

test('sixty hostile names of data sets and targets are text', async () => {
  const each = 15;
  for (let first = 0; first < hostile.length; first += each) {
    const names = hostile.slice(first, first + each);
    const datasets = names.map((name) => {
      // A file name has no slash, and no comma, which would mean a pair of files.
      const file = at(name.replaceAll('/', '|').replaceAll(',', ';') + '.csv');
      const target = `"${name.replaceAll('"', '""')}"`;
      writeFileSync(file, `x,${target}\n` + Array.from({length: 40}, (_, r) => `${(r * 7) % 11},${r % 2}\n`).join(''));
      return [file, name];
    });
    const study = at(`hostile${first}`);
    sweep(`${study}.toml`, study, datasets, 'splits = ["random"]\nmethods = ["restarts", "lit"]\nmembers = 2\nlambda = [1.0]\nrestarts = 1\nrow_visits = 60');
    perpend('report', study, '-o', `${study}.html`);
    const {page: view, faults, close} = await open(browser, `${study}.html`);
    assert.deepEqual(faults, []);
    assert.equal(await view.evaluate(() => window.pwned), undefined);
    const drawn = (await chartsOf(view)).find((chart) => chart.id === 'lambda').rows.map((row) => row[0]);
    for (const [source] of datasets) assert.ok(drawn.includes(`${writtenOut(basename(source))}, random`), source);
    for (const element of ['iframe', 'object', 'video', 'base', 'link', 'form:not(.vega-bindings)', 'img']) assert.equal(await view.locator(element).count(), 0, element);
    assert.equal(await view.locator('script').count(), 2);
    await close();
  }
});

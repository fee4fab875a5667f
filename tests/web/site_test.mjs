// site_test.mjs PROGRAM SITE [FOLDER]: opens the built site from the disk without a network. Pages ask only for files of the
// site, the first page shows the playground, search works, blocks copy as commands, nothing is wider than a phone, and axe-core
// finds no serious fault. Page weights are printed. With FOLDER, pictures of the first page and the gallery are written there.
import {join} from 'node:path';
import {readFileSync, statSync} from 'node:fs';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {createRequire} from 'node:module';
import assert from 'node:assert/strict';
import {launch} from './browser.mjs';

const [site, pictures] = process.argv.slice(3);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = ['index.html', 'start.html', 'gallery/index.html', 'how-to/shift.html'];
const browser = await launch();
const wrong = [];

async function look(name, {width, scheme}) {
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme: scheme, reducedMotion: 'reduce', offline: true});
  const page = await context.newPage();
  const faults = [];
  let weight = 0;
  page.on('console', (message) => { if (message.type() === 'error') faults.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (/^(blob|data|about):/.test(url)) return;
    if (!url.startsWith(pathToFileURL(site).href)) { faults.push(`request: ${url}`); return; }
    weight += statSync(fileURLToPath(url.split(/[?#]/)[0])).size;
  });
  await page.goto(pathToFileURL(join(site, name)).href);
  await page.waitForLoadState('load');
  assert.deepEqual(faults, [], name);
  return {page, faults, weight: () => weight, close: () => context.close()};
}

for (const name of pages) {
  for (const scheme of ['light', 'dark']) {
    const {page, weight, close} = await look(name, {width: 1440, scheme});
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, {iframes: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']}));
    const serious = found.violations.filter((v) => ['serious', 'critical'].includes(v.impact));
    for (const v of serious) wrong.push(`${name}, ${scheme}: ${v.id}: ${v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160)).join(' | ')}`);
    if (scheme === 'light') console.log(`${name}: ${Math.round(weight() / 1000)} kB`);
    await close();
  }
  const {page, close} = await look(name, {width: 390, scheme: 'light'});
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) wrong.push(`${name} is ${wide} pixels wider than a phone`);
  await close();
}

assert.deepEqual(wrong, []);

// The first page has the playground in it.
{
  const {page, faults, close} = await look('index.html', {width: 1440, scheme: 'light'});
  await page.frameLocator('iframe.playground').locator('#picture').waitFor({timeout: 30000});
  assert.deepEqual(faults, []);
  await close();
}

// Material searches in a worker, and a page from the disk cannot have one.
const {page, faults, close} = await look('index.html', {width: 1440, scheme: 'light'});
await page.locator('.md-search__input').click();
await page.locator('.md-search__input').pressSequentially('missing cells');
await page.waitForSelector('.md-search-result__item', {timeout: 30000});
const first = await page.locator('.md-search-result__item a').first().getAttribute('href');
assert.ok(first.startsWith('file:') || first.endsWith('.html') || first.includes('.html'), first);
const results = await page.locator('.md-search-result__item').allInnerTexts();
assert.ok(results.some((text) => /missing/i.test(text)), results.join('\n'));
assert.deepEqual(faults, []);
await close();

// A copied block has the commands, without prompts and answers.
const tour = await look('how-to/shift.html', {width: 1440, scheme: 'light'});
const copied = await tour.page.evaluate(() => {
  const code = document.querySelector('.language-console code');
  code.setAttribute('data-md-copying', '');  // as Material does while it copies
  return code.innerText.trim();
});
assert.match(copied, /^perpend data make/);
assert.doesNotMatch(copied, /^\$|verdict/m);
await tour.close();

if (pictures) {
  for (const [name, called] of [['index.html', 'first'], ['gallery/index.html', 'gallery'], ['start.html', 'start'], ['gallery/gas.html', 'story']]) {
    for (const width of [390, 1440]) {
      for (const scheme of ['light', 'dark']) {
        const shown = await look(name, {width, scheme});
        await shown.page.waitForTimeout(500);
        await shown.page.screenshot({path: join(pictures, `${called}-${width}-${scheme}.png`), fullPage: called !== 'story'});
        await shown.close();
      }
    }
  }
}
await browser.close();

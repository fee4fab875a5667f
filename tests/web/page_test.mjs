// Checks in a real browser what a reader of a report relies on: page_test.mjs PROGRAM
import assert from 'node:assert/strict';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test, {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import {launch, open, perpend, temporaryFolder, unfold} from './browser.mjs';
import {hostile, writtenOut} from './hostile.mjs';
import {studies} from './studies.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const folder = temporaryFolder();
const at = (name) => join(folder, name);
const csvCell = (text) => `"${text.replaceAll('"', '""')}"`;
let browser;

// Pages of every kind: all that a model can show, a model file alone, categories and missing cells with ten members, new
// rows that have moved, three classes with levels, one member, boosting, a study, and a study that is not finished.
const kinds = {
  full: () => {
    perpend('train', 'builtin:shortcut', '--target', 'target', '-o', at('full.m'), '--members', '3', '--epochs', '20', '--views', 'plain');
    return [at('full.m'), 'builtin:shortcut', '--new', 'builtin:shortcut-flipped', '--features', 'ward,sodium'];
  },
  alone: () => [at('full.m')],
  views: () => {
    const rows = Array.from({length: 240}, (_, r) => `${r % 7 ? (r * 7) % 11 : ''},${r % 5 ? ['oslo', 'rome', 'a <town>'][r % 3] : ''},${(r * 5) % 13},${(r * 7) % 11 + r % 3 > 6 ? 'yes' : 'no'}\n`);
    writeFileSync(at('views.csv'), 'dose,town,age,y\n' + rows.join(''));
    perpend('train', at('views.csv'), '--target', 'y', '-o', at('views.m'), '--epochs', '20');
    return [at('views.m'), at('views.csv'), '--new', at('views.csv'), '--features', 'town'];
  },
  moved: () => {
    const rows = Array.from({length: 120}, (_, r) => `${(r * 7) % 11},${['oslo', 'paris'][r % 2]},${20 + (r * 5) % 13},${r % 2 ? 'yes' : 'no'}\n`);
    writeFileSync(at('moved.csv'), 'dose,town,age,y\n' + rows.join(''));
    return [at('views.m'), at('views.csv'), '--new', at('moved.csv')];
  },
  unlabelled: () => {
    const rows = readFileSync(at('moved.csv'), 'utf8').trim().split('\n').map((row) => row.slice(0, row.lastIndexOf(',')));
    writeFileSync(at('unlabelled.csv'), rows.join('\n') + '\n');
    return [at('views.m'), at('views.csv'), '--new', at('unlabelled.csv')];
  },
  classes: () => {
    const rows = Array.from({length: 150}, (_, r) => `${(r % 3) + 0.1 * ((r * 7) % 11)},${'uvw'[(r >> 1) % 3]},${'RGB'[r % 3]}\n`);
    writeFileSync(at('classes.csv'), 'a,kind,y\n' + rows.join(''));
    perpend('train', at('classes.csv'), '--target', 'y', '-o', at('classes.m'), '--members', '2', '--epochs', '20');
    return [at('classes.m'), at('classes.csv')];
  },
  single: () => {
    perpend('train', 'builtin:quadrants', '--target', 'target', '-o', at('single.m'), '--members', '1', '--epochs', '5');
    return [at('single.m'), 'builtin:quadrants'];
  },
  boosted: () => {
    perpend('train', 'builtin:blocks', '--target', 'target', '-o', at('boosted.m'), '--method', 'adaboost', '--epochs', '2',
      '--hidden', '4');
    return [at('boosted.m'), 'builtin:blocks'];
  },
};
Object.assign(kinds, studies(at));
const page = (kind) => at(`${kind}.html`);

before(async () => {
  for (const [kind, words] of Object.entries(kinds)) perpend('report', ...words(), '-o', page(kind));
  browser = await launch();
});
after(() => browser.close());

const chartsOf = (view) => view.evaluate(() => JSON.parse(document.getElementById('charts').textContent));

for (const kind of Object.keys(kinds)) {
  for (const width of [390, 1440]) {
    for (const scheme of ['light', 'dark']) {
      test(`${kind} at ${width} pixels, ${scheme}: opens from disk, asks for nothing, draws every chart`, async () => {
        const {page: view, faults, close} = await open(browser, page(kind), {width, scheme});
        await unfold(view);
        const seen = await view.evaluate(() => ({
          marks: [...document.querySelectorAll('.plot')].map((plot) => plot.querySelectorAll('[class*="role-mark"] > *').length),
          wide: document.documentElement.scrollWidth - window.innerWidth,
          paper: getComputedStyle(document.body).backgroundColor,
          over: [...document.querySelectorAll('.plot svg')].filter((svg) => svg.getBoundingClientRect().width > svg.parentElement.clientWidth + 1).length,
        }));
        assert.deepEqual(faults, []);
        assert.ok(seen.marks.length > 0);
        for (const marks of seen.marks) assert.ok(marks > 0, `marks per chart: ${seen.marks}`);
        assert.ok(seen.wide <= 0, `${seen.wide} pixels wider than the screen`);
        assert.equal(seen.over, 0);
        assert.equal(seen.paper, scheme === 'dark' ? 'rgb(18, 24, 30)' : 'rgb(255, 255, 255)');
        await close();
      });
    }
  }
}

test('a page is smaller than 2 MB and allows neither network nor eval', () => {
  for (const kind of Object.keys(kinds)) assert.ok(statSync(page(kind)).size < 2e6);
  const policy = readFileSync(page('full'), 'utf8').match(/Content-Security-Policy" content="([^"]*)"/)[1];
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data: blob:;/);
  assert.doesNotMatch(policy, /unsafe|http/);
});

test('a script that someone adds does not run', async () => {
  writeFileSync(at('added.html'), readFileSync(page('alone'), 'utf8').replace('</main>', '<script>window.pwned = 1</script><img src=x onerror="window.pwned = 1"></main>'));
  const {page: view, close} = await open(browser, at('added.html'));
  assert.equal(await view.evaluate(() => window.pwned), undefined);
  await close();
});

test('every specification is valid Vega-Lite', async () => {
  const schema = JSON.parse(readFileSync(join(here, '../../web/node_modules/vega-lite/build/vega-lite-schema.json'), 'utf8'));
  const ajv = new Ajv({strict: false, allErrors: false});
  addFormats(ajv);
  ajv.addFormat('color-hex', () => true);
  const valid = ajv.compile(schema);
  assert.ok(!valid({mark: 'no such mark', encoding: {}}));
  for (const kind of Object.keys(kinds)) {
    const {page: view, close} = await open(browser, page(kind));
    for (const chart of await chartsOf(view)) {
      assert.ok(valid(chart.spec), `${kind} ${chart.id}: ${JSON.stringify(valid.errors)}`);
    }
    await close();
  }
});

test('the full page shows every chart of a model', async () => {
  const {page: view, close} = await open(browser, page('full'));
  // Without an error on the judged rows there is no curve of risk and coverage.
  assert.deepEqual((await chartsOf(view)).map((chart) => chart.id).filter((id) => id !== 'risk-coverage'),
    ['roc', 'calibration', 'members', 'named-gradients', 'gradients', 'worth', 'dependence-1', 'dependence-2', 'dependence-3', 'disagreement', 'cosine', 'distance', 'distance-change', 'loss', 'penalty']);
  assert.equal(await view.locator('.rows > li').count(), 6);
  const parts = await view.locator('#disagreement svg').textContent();
  for (const name of ['training', 'test', 'new: builtin:shortcut-flipped']) assert.ok(parts.includes(name), parts);
  await close();
});

test('a model with views shows the levels of categories by name, and the view of each member', async () => {
  const {page: view, close} = await open(browser, page('views'));
  const charts = await chartsOf(view);
  // Where auto has chosen lambda 0 there is no curve of the penalty.
  assert.deepEqual(charts.map((chart) => chart.id).filter((id) => id !== 'penalty'),
    ['moved', 'roc', 'calibration', 'members', 'named-gradients', 'gradients', 'levels', 'worth', 'dependence-1', 'disagreement', 'cosine', 'risk-coverage', 'loss']);
  await unfold(view);
  const levels = charts.find((chart) => chart.id === 'levels');
  assert.deepEqual(new Set(levels.rows.map((row) => row[2])), new Set(['oslo', 'rome', 'a <town>', 'missing']));
  const drawn = await view.locator('#levels svg').textContent();
  for (const label of ['town = oslo', 'town = a <town>', 'town = missing', 'linear', 'piecewise']) assert.ok(drawn.includes(label), drawn);
  const members = view.locator('#training .table').first().locator('tbody tr');
  assert.equal(await members.count(), 12);
  assert.match(await members.nth(1).innerText(), /member 2\s+piecewise/);
  assert.match(await members.nth(11).innerText(), /member 12\s+trees\s+3\s+\d+ rounds?/);
  assert.match(await view.locator('.rows').innerText(), /town = ('oslo'|'rome'|'a <town>'|missing)/);
  await close();
});

test('the page of rows that have moved begins with what moved and what to do', async () => {
  const found = JSON.parse(perpend('monitor', at('views.m'), at('moved.csv'), '--labels', 'y', '--json'));
  const {page: view, close} = await open(browser, page('moved'));
  assert.equal(found.verdict, 'far');
  assert.match(await view.locator('h1').innerText(), /^The new rows are far from those of the training/);
  assert.equal(await view.locator('section').first().getAttribute('id'), 'moved-rows');
  const section = view.locator('#moved-rows');
  const answers = view.locator('.answers');
  assert.deepEqual(await answers.locator('dt').allInnerTexts(), ['What moved?', 'Can the answers be trusted?', 'What to do next?']);
  assert.ok((await answers.innerText()).includes(found.summary));
  assert.ok((await answers.innerText()).includes(found.advice));
  const moved = found.columns.filter((column) => column.p_value < 0.01);
  assert.deepEqual(await section.locator('.cards tbody th').allInnerTexts(), moved.map((column) => column.name));
  assert.equal(await section.locator('.cards tbody tr').first().locator('.words').innerText(), moved[0].change);
  const text = await section.innerText();
  for (const figure of [found.disagreement.home, found.disagreement.new, found.measured.auc]) assert.ok(text.includes(figure.toFixed(3)), text);
  await close();
  const alone = await open(browser, page('unlabelled'));
  assert.match(await alone.page.locator('.answers code').innerText(), /^perpend ask \S+views\.m \S+ -n 32 -o rows\.csv\n# write the labels into its last column\nperpend adapt \S+views\.m rows\.csv -o /);
  await alone.close();
});

test('on a phone the verdict and what to do stand on the first two screens, and the whole navigation is seen', async () => {
  const {page: view, close} = await open(browser, page('unlabelled'), {width: 390, height: 844});
  const seen = await view.evaluate(() => ({
    answers: document.querySelector('.answers').getBoundingClientRect().bottom,
    cut: [...document.querySelectorAll('.bar nav a')].filter((link) => link.getBoundingClientRect().right > window.innerWidth).length,
    hidden: document.querySelector('.bar nav').scrollWidth - document.querySelector('.bar nav').clientWidth,
  }));
  assert.ok(seen.answers < 2 * 844, `the answers end at ${seen.answers}`);
  assert.equal(seen.cut, 0);
  assert.ok(seen.hidden <= 0);
  await close();
});

test('new rows like those at home are called so, and a model that knows no home says nothing of it', async () => {
  const like = await open(browser, page('views'));
  assert.match(await like.page.locator('.answers dd').first().innerText(), /^No test shows that these 240 rows differ/);
  await like.close();
  const {page: view, close} = await open(browser, page('full'));
  assert.equal(await view.locator('#moved-rows').count(), 0);
  assert.doesNotMatch(await view.locator('h1').innerText(), /familiar|like those/);
  await close();
});

test('what is folded away is drawn when it is opened', async () => {
  const {page: view, faults, close} = await open(browser, page('full'));
  assert.equal(await view.locator('#loss svg').count(), 0);
  await view.locator('#training .fold > summary').focus();
  await view.keyboard.press('Enter');
  await view.locator('#loss .plot svg').waitFor();
  assert.ok(await view.locator('#loss .plot svg').evaluate((svg) => svg.getBoundingClientRect().width > 300));
  assert.deepEqual(faults, []);
  await close();
});

test('its numbers are those that evaluate prints', async () => {
  const metrics = JSON.parse(perpend('evaluate', at('full.m'), 'builtin:shortcut-flipped', '--json')).metrics;
  const {page: view, close} = await open(browser, page('full'));
  const members = (await chartsOf(view)).find((chart) => chart.id === 'members');
  const value = (who, measure) => members.rows.find((row) => row[0].startsWith('new') && row[1] === who && row[2] === measure)[3];
  assert.equal(value('ensemble', 'AUC'), metrics.auc);
  assert.equal(value('ensemble', 'log-loss'), metrics.log_loss);
  metrics.members.forEach((member, m) => assert.equal(value(`member ${m + 1}`, 'accuracy'), member.accuracy));
  await close();
});

test('its test rows are those of the training', async () => {
  const {metrics} = JSON.parse(perpend('inspect', at('full.m'), '--json')).summary;
  const {page: view, close} = await open(browser, page('full'));
  const members = (await chartsOf(view)).find((chart) => chart.id === 'members');
  assert.equal(members.rows.find((row) => row[0] === 'test' && row[1] === 'ensemble' && row[2] === 'log-loss')[3], metrics.test.log_loss);
  await close();
});

test('a tooltip tells what is under the pointer, and Escape hides it', async () => {
  const {page: view, close} = await open(browser, page('full'));
  const tooltip = view.locator('#tooltip');
  for (const [chart, kind, words] of [['disagreement', 'rect', /rows.*from.*count/s], ['roc', 'symbol', /curve.*AUC/s],
    ['members', 'symbol', /who.*value/s], ['cosine', 'rect', /mean cos²/s], ['gradients', 'area', /feature.*member/s]]) {
    await view.locator(`#${chart} .plot`).scrollIntoViewIfNeeded();
    // The tallest mark is checked, because a bar may have no height.
    const marks = view.locator(`#${chart} .plot svg .mark-${kind}.role-mark path`);
    const mark = marks.nth(await marks.evaluateAll((all) => {
      const sizes = all.map((path) => path.getBBox().width * path.getBBox().height);
      return sizes.indexOf(Math.max(...sizes));
    }));
    for (let tries = 0; tries < 40 && await tooltip.isHidden(); ++tries) {
      const box = await mark.boundingBox();
      await view.mouse.move(box.x + box.width / 2 - 1, box.y + box.height / 2 - 1);
      await view.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await view.waitForTimeout(250);
    }
    assert.match(await tooltip.innerText(), words);
    await view.keyboard.press('Escape');
    assert.ok(await tooltip.isHidden());
  }
  await close();
});

test('a chart saves its data as CSV and its picture as SVG and PNG', async () => {
  const {page: view, faults, close} = await open(browser, page('full'));
  const charts = await chartsOf(view);
  await unfold(view);
  for (const chart of charts) {
    const saved = {};
    for (const kind of ['csv', 'svg', 'png']) {
      const [download] = await Promise.all([
        view.waitForEvent('download').catch((error) => assert.fail(`${chart.id}.${kind}: ${error.message}; ${faults.join('; ')}`)),
        view.locator(`#${chart.id} button[data-save=${kind}]`).click(),
      ]);
      assert.equal(download.suggestedFilename(), `${chart.id}.${kind}`);
      saved[kind] = readFileSync(await download.path());
    }
    const lines = saved.csv.toString().trimEnd().split('\n');
    assert.equal(lines[0], chart.columns.join(','));
    assert.equal(lines.length, chart.rows.length + 1);
    assert.match(saved.svg.toString(), /^<svg[^]*<\/svg>$/);
    assert.doesNotMatch(saved.svg.toString(), /var\(/);
    assert.deepEqual([...saved.png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.ok(saved.png.length > 2000);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('behind each chart is a table of its data', async () => {
  const {page: view, close} = await open(browser, page('full'));
  await unfold(view);
  for (const chart of await chartsOf(view)) {
    await view.locator(`#${chart.id} summary`).focus();
    await view.keyboard.press('Enter');
    const rows = view.locator(`#${chart.id} tbody tr`);
    await rows.first().waitFor();
    assert.equal(await rows.count(), Math.min(chart.rows.length, 500));
  }
  await close();
});

test('everything that can be pressed is reached by the keyboard', async () => {
  const {page: view, close} = await open(browser, page('full'));
  const expected = await view.locator('button:visible, summary:visible, a').count();
  const reached = new Set();
  for (let i = 0; i < expected + 30; ++i) {
    await view.keyboard.press('Tab');
    reached.add(await view.evaluate(() => {
      const all = [...document.querySelectorAll('button, summary, a')];
      return all.indexOf(document.activeElement);
    }));
  }
  reached.delete(-1);
  assert.equal(reached.size, expected);
  await close();
});

test('the theme button changes the theme, and a changed width redraws', async () => {
  const {page: view, faults, close} = await open(browser, page('full'));
  await view.locator('#theme').click();
  assert.equal(await view.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(18, 24, 30)');
  await view.setViewportSize({width: 500, height: 800});
  await view.waitForFunction(() => [...document.querySelectorAll('.plot svg')].every((svg) => Number(svg.getAttribute('width')) <= 500));
  assert.deepEqual(faults, []);
  await close();
});

test('printed, it is light and without buttons', async () => {
  const {page: view, close} = await open(browser, page('full'), {scheme: 'dark'});
  await view.emulateMedia({media: 'print', colorScheme: 'dark'});
  assert.equal(await view.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await view.locator('button:visible').count(), 0);
  assert.ok((await view.pdf()).length > 10000);
  await close();
});

test('axe finds no serious fault', async () => {
  const axe = readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8');
  for (const kind of ['full', 'alone', 'views', 'moved', 'classes', 'study', 'unfinished']) {
    for (const scheme of ['light', 'dark']) {
      const {page: view, close} = await open(browser, page(kind), {scheme});
      await unfold(view);
      await view.evaluate(axe);
      const {violations} = await view.evaluate(() => window.axe.run());
      const serious = violations.filter((fault) => ['serious', 'critical'].includes(fault.impact))
        .map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
      assert.deepEqual(serious, []);
      await close();
    }
  }
});

test('sixty hostile names of features, classes and files are text', async () => {
  const each = 12;
  for (let first = 0; first < hostile.length; first += each) {
    const names = hostile.slice(first, first + each);
    const classes = [`no ${names[0]}`, names[1]];
    const rows = Array.from({length: 60}, (_, r) => names.map((_name, i) => Math.floor(60 * Math.abs(Math.sin(r * (i + 1.37)))) / 10).join(',') + `,${csvCell(classes[r % 2])},${csvCell(names[r % 3])}\n`);
    // A file name has neither a slash nor more than 255 bytes.
    const file = (ending) => at(names[2].replaceAll('/', '∕').replaceAll('\0', '') + ending);
    writeFileSync(file('.csv'), [...names, 'the target', 'level'].map(csvCell).join(',') + '\n' + rows.join(''));
    perpend('train', file('.csv'), '--target', 'the target', '-o', file('.m'), '--members', '2', '--epochs', '1', '--hidden', '3');
    perpend('report', file('.m'), file('.csv'), '--new', file('.csv'), '-o', at('hostile.html'), '--force');
    const {page: view, faults, close} = await open(browser, at('hostile.html'));
    assert.deepEqual(faults, []);
    assert.equal(await view.evaluate(() => window.pwned), undefined);
    const charts = await chartsOf(view);
    const drawn = new Set(charts.find((chart) => chart.id === 'gradients').rows.map((row) => row[0]));
    for (const name of names) assert.ok(drawn.has(writtenOut(name)), `${name} is not among ${[...drawn]}`);
    await view.locator('#gradients summary').click();
    const cells = await view.locator('#gradients tbody td:first-child').allTextContents();
    for (const name of new Set(cells)) assert.ok(drawn.has(name), name);
    assert.ok((await view.title()).startsWith(writtenOut(file('.m').slice(folder.length + 1))));
    assert.ok((await view.locator('.rows').innerText()).includes('looking at'));
    for (const element of ['iframe', 'object', 'video', 'base', 'link', 'form:not(.vega-bindings)', 'img']) assert.equal(await view.locator(element).count(), 0, element);
    assert.equal(await view.locator('script').count(), 2);
    await close();
  }
});

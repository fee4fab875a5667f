// Checks what a visitor of the playground relies on: playground_test.mjs PROGRAM PAGE
import assert from 'node:assert/strict';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test, {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {sourcesHash} from '../../web/playground/sources.mjs';
import {launch, open, perpend, temporaryFolder} from './browser.mjs';
import {engineOf, pageParts, weightsOf} from './playground_engine.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const page = process.argv[3];
const folder = temporaryFolder();
const at = (name) => join(folder, name);
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const points = Array.from({length: 40}, (_, i) => ({x: Math.fround(((i * 7) % 11) / 2 - 4.3 + (i % 2) * 3), y: Math.fround(((i * 5) % 13) / 2 - 3.1), label: i % 2}));
const cases = [
  {set: 'toy-1', method: 'lit', members: 2, lambda: 0.3, views: 'plain', epochs: 3, seed: 0},
  {set: 'toy-2', method: 'restarts', members: 3, lambda: 0, views: 'linear,piecewise', epochs: 2, seed: 4},
  {set: 'toy-4', method: 'ncl', members: 2, lambda: 0.5, views: 'piecewise', epochs: 2, seed: 1},
  {set: 'manifold', method: 'ace', members: 5, lambda: 0.1, views: 'linear', epochs: 2, seed: 2},
  {set: 'shortcut', method: 'lit', members: 3, lambda: 1, views: 'plain', epochs: 10, seed: 3},
  {set: 'painted', method: 'lit', members: 2, lambda: 0.3, views: 'plain', epochs: 60, seed: 0, points},
];
for (const given of cases) {
  test(`${given.method} on ${given.set} trains the weights of the program, bit for bit`, async () => {
    const {begin, next, weights} = await engineOf(page);
    begin(given);
    while (!next().done);
    if (given.points) writeFileSync(at('painted.csv'), 'x,y,target\n' + given.points.map(({x, y, label}) => `${x},${y},${label ? 'red' : 'blue'}\n`).join(''));
    const words = ['train', given.points ? at('painted.csv') : `builtin:${given.set}`, '--target', 'target', '--split', 'none', '--method', given.method,
      '--members', given.members, '--views', given.views, '--epochs', given.epochs, '--early-stopping', '0', '--seed', given.seed, '-o', at('model.safetensors'), '--force'];
    if (given.method !== 'restarts') words.push('--lambda', given.lambda);
    perpend(...words.map(String));
    const wanted = weightsOf(at('model.safetensors'), given.members);
    const got = weights();
    assert.equal(got.length, wanted.length);
    assert.ok(Buffer.from(got.buffer).equals(Buffer.from(wanted.buffer)), `${got.filter((w, i) => w !== wanted[i]).length} of ${got.length} weights differ`);
  });
}

test('members that go on under another method are those of --init, bit for bit', async () => {
  const {begin, next, weights} = await engineOf(page);
  const given = {set: 'toy-1', members: 2, views: 'plain', seed: 0};
  begin({...given, method: 'restarts', lambda: 0, epochs: 60});
  for (let epoch = 0; epoch < 2; ++epoch) next();
  begin({...given, method: 'lit', lambda: 1, epochs: 2, fromHere: true});
  while (!next().done);
  const words = ['train', 'builtin:toy-1', '--target', 'target', '--split', 'none', '--members', '2', '--views', 'plain', '--epochs', '2', '--early-stopping', '0'];
  perpend(...words, '--method', 'restarts', '-o', at('1.safetensors'));
  perpend(...words, '--method', 'lit', '--lambda', '1', '--init', at('1.safetensors'), '-o', at('2.safetensors'));
  assert.deepEqual(weights(), weightsOf(at('2.safetensors'), 2));
});

test('two members of LIT stand apart where restarts draw one line twice', async () => {
  const angles = {};
  for (const method of ['lit', 'restarts']) {
    const {begin, next} = await engineOf(page);
    begin({set: 'toy-1', method, members: 2, lambda: 0.3, views: 'plain', epochs: 30, seed: 0});
    let frame;
    do frame = next(); while (!frame.done);
    for (const share of frame.accuracy) assert.ok(share > 0.97, `accuracy ${frame.accuracy}`);
    angles[method] = frame.angles[0];
  }
  assert.ok(angles.lit > 70, `${angles.lit}`);
  assert.ok(angles.restarts < 45, `${angles.restarts}`);
});

for (const [width, scheme] of [[390, 'dark'], [1440, 'light']]) {
  test(`at ${width} pixels, ${scheme}: trains offline, fits the screen, and axe finds no serious fault`, async () => {
    const {page: view, faults, close} = await open(browser, page, {width, scheme});
    assert.match(await view.locator('#seen').innerText(), /\d+°/);
    assert.ok(await view.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await view.evaluate(readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8'));
    const {violations} = await view.evaluate(() => window.axe.run());
    assert.deepEqual(violations.filter(({impact}) => ['serious', 'critical'].includes(impact)).map(({id, nodes}) => `${id}: ${nodes[0].html}`), []);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('points are painted by keyboard and by pointer, and trained on', async () => {
  const {page: view, faults, close} = await open(browser, page);
  await view.getByLabel('Paint your own').check();
  const count = () => view.evaluate(() => state.points.length);
  const begun = await count();
  await view.locator('#picture').focus();
  for (const key of ['ArrowLeft', 'ArrowUp', '1', '2', '2', 'Backspace']) await view.keyboard.press(key);
  assert.equal(await count(), begun + 2);
  await view.locator('#picture').click({position: {x: 30, y: 30}});
  assert.equal(await count(), begun + 3);
  await view.waitForFunction(() => state.frame?.done && state.world.labels.length === state.points.length);
  assert.deepEqual(faults, []);
  await close();
});

test('it works inside a frame of another page', async () => {
  writeFileSync(at('outer.html'), `<!doctype html><title>outer</title><iframe src="${page}" width="800" height="900"></iframe>`);
  const context = await browser.newContext({reducedMotion: 'reduce'});
  const view = await context.newPage();
  await view.goto(`file://${at('outer.html')}`);
  await view.frameLocator('iframe').locator('html[data-ready=yes]').waitFor({state: 'attached', timeout: 60000});
  await context.close();
});

test('the page is below 1.5 MB and its policy allows what is in it only', (context) => {
  assert.ok(statSync(page).size < 1.5e6);
  const {html, sources} = pageParts(page);
  const policy = html.match(/Content-Security-Policy" content="([^"]*)"/)[1];
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^' ]+' 'wasm-unsafe-eval'; style-src 'sha256-[^' ]+'; worker-src blob:;/);
  assert.doesNotMatch(policy, /'unsafe|http/);
  if (sources !== sourcesHash()) context.diagnostic('the page was built from other sources; make playground, then web/playground/build docs');
});

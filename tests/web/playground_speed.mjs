// playground_speed.mjs PROGRAM PAGE: prints what the page costs while it trains.
//
// Pictures per second and milliseconds per epoch are wall time in headless Chromium. Processor times do not depend on what
// else the machine does. For the worker they are those of the same code under node, and for the page's own thread those
// that Chromium counts. Their sum is what one core needs per picture.
import {statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {launch} from './browser.mjs';
import {engineOf} from './playground_engine.mjs';

const page = process.argv[3];
const middle = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const sets = [['toy-1', 2], ['toy-1', 5], ['toy-4', 2], ['shortcut', 2], ['painted', 2]];
const EPOCHS = 60;

const engine = await engineOf(page);
function workerTime(set, members) {
  const points = Array.from({length: 24}, (_, i) => ({x: (i % 7) - 3 + (i % 2 ? 5 : -5), y: (i % 5) - 2, label: i % 2}));
  engine.begin({set, members, method: 'lit', lambda: 1, views: 'plain', epochs: EPOCHS, seed: 0, points: set === 'painted' ? points : null});
  const used = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part / 1000, 0);
  const times = [];
  for (let done = false; !done;) {
    const before = used();
    ({done} = engine.next());
    times.push(used() - before);
  }
  return middle(times);
}

const browser = await launch();
const view = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
const counters = await view.context().newCDPSession(view);
await counters.send('Performance.enable', {timeDomain: 'threadTicks'});
const threadTime = async () => 1000 * (await counters.send('Performance.getMetrics')).metrics.find(({name}) => name === 'TaskDuration').value;
await view.goto(pathToFileURL(page).href);
await view.waitForSelector('html[data-ready=yes]', {timeout: 120000});
console.log(`${page}: ${Math.round(statSync(page).size / 1024)} KiB`);
for (const [set, members] of sets) {
  const before = await threadTime();
  const seen = await view.evaluate(async ([set, members]) => {
    Object.assign(state, {set, members, method: 'lit', lambda: LAMBDAS.indexOf(1), epochs: EPOCHS, steps: []});
    train();
    while (!state.frame) await new Promise(requestAnimationFrame);
    const begun = performance.now();
    const first = state.frames;
    while (!state.frame.done) await new Promise(requestAnimationFrame);
    return {steps: state.steps, rate: 1000 * (state.frames - first) / (performance.now() - begun)};
  }, [set, String(members)]);
  const draws = (await threadTime() - before) / EPOCHS;
  const trains = workerTime(set, members);
  console.log(`${set}, ${members} members: ${seen.rate.toFixed(0)} pictures per second, an epoch in ${middle(seen.steps).toFixed(1)} ms; `
    + `processor time per picture ${trains.toFixed(1)} ms in the worker and ${draws.toFixed(1)} ms in the page, enough for ${(1000 / (trains + draws)).toFixed(0)} per second on one core`);
}
await browser.close();

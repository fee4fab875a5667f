// opening_time.mjs PROGRAM PAGE: milliseconds until all charts of a report are drawn, five times in one browser.
import {launch, open} from './browser.mjs';

const browser = await launch();
const times = [];
for (let i = 0; i < 5; ++i) {
  const start = performance.now();
  const {close} = await open(browser, process.argv[3]);
  times.push(Math.round(performance.now() - start));
  await close();
}
await browser.close();
console.log(`opened in ${times.join(', ')} ms`);

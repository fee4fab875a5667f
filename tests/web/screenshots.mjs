// screenshots.mjs PROGRAM FOLDER: makes pictures of the report for README.md, each below 200 kB.
import {join, resolve} from 'node:path';
import {statSync} from 'node:fs';
import {launch, open, perpend, temporaryFolder} from './browser.mjs';

const out = resolve(process.argv[3]);
const folder = temporaryFolder();
process.chdir(folder);  // the page shows commands with the model's name as it was given
const model = 'shortcut.safetensors';
const page = join(folder, 'report.html');
perpend('train', 'builtin:shortcut', '--target', 'target', '-o', model);
perpend('report', model, 'builtin:shortcut', '--new', 'builtin:shortcut-flipped', '-o', page);

const browser = await launch();
for (const [name, scheme, element] of [['report-top', 'light', 'body'], ['report-gradients', 'dark', '#explanations']]) {
  const {page: view, close} = await open(browser, page, {width: 1200, height: 820, scheme});
  if (element !== 'body') await view.locator(element).scrollIntoViewIfNeeded();
  const file = join(out, `${name}.png`);
  if (element === 'body') {
    await view.screenshot({path: file});
  } else {
    await view.locator('.bar').evaluate((bar) => { bar.style.position = 'static'; });
    await view.locator(element).screenshot({path: file});
  }
  const size = statSync(file).size;
  console.log(`${file}: ${size} bytes`);
  if (size > 200000) throw new Error(`${file} is larger than 200 kB`);
  await close();
}
await browser.close();

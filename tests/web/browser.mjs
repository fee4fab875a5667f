// Starts Chromium, and the program whose pages it opens.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

export const program = process.argv[2];

export function perpend(...words) {
  return execFileSync(program, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'perpend_web_'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

// root has no sandbox, and the tests of a bare machine run as root.
export function launch() {
  return chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
}

// Opens a page of ours and waits until its charts are drawn. `faults` collects errors that must not happen.
export async function open(browser, file, {width = 1440, height = 900, scheme = 'light'} = {}) {
  const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme, reducedMotion: 'reduce', acceptDownloads: true});
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (request.url() !== url && !/^(blob|data):/.test(request.url())) faults.push(`request: ${request.url()}`);
  });
  await page.goto(url, {timeout: 120000});
  await page.waitForSelector('html[data-ready=yes]', {timeout: 120000});
  return {page, faults, close: () => context.close()};
}

// Opens folded sections and waits until they are drawn.
export async function unfold(page) {
  await page.evaluate(() => { for (const fold of document.querySelectorAll('.fold')) fold.open = true; });
  await page.waitForFunction(() => [...document.querySelectorAll('.plot')].every((plot) => plot.querySelector('svg')), null, {timeout: 120000});
}

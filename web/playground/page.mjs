// page.mjs WASM PAGE: puts everything into one file, with a policy that allows only what is in it.
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {here, sourcesHash} from './sources.mjs';

const [wasm, page] = process.argv.slice(2);
const text = (name) => readFileSync(join(here, name), 'utf8').trim();
const allowed = (inside) => `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
const version = readFileSync(join(here, '../../CMakeLists.txt'), 'utf8').match(/VERSION (\d+\.\d+\.\d+)/)[1];

const parts = {
  version,
  sources: sourcesHash(),
  style: text('page.css'),
  script: text('page.js'),
  worker: text('worker.js'),
  engine: gzipSync(readFileSync(wasm), {level: 9}).toString('base64'),
};
parts.policy = ["default-src 'none'", `script-src ${allowed(parts.script)} 'wasm-unsafe-eval'`, `style-src ${allowed(parts.style)}`,
  'worker-src blob:', "base-uri 'none'", "form-action 'none'"].join('; ');
const html = text('page.html').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(page, `${html}\n`);
console.log(`${page}: ${Math.round(html.length / 1024)} KiB, of which ${Math.round(parts.engine.length / 1024)} are the engine`);

// Prints the sha256 of all that a built page depends on: the page's own files and the engine's.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const FOLDERS = ['web/playground', ...['base', 'data', 'evaluate', 'kernels', 'manifold', 'model', 'objective', 'records', 'run', 'train', 'trees']
  .map((module) => `perpend/${module}`)];

export function sourcesHash() {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const files = readdirSync(join(root, folder), {withFileTypes: true}).filter((entry) => entry.isFile()).map(({name}) => name);
    for (const name of files.sort()) {
      hash.update(`${folder}/${name}\0`).update(readFileSync(join(root, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

// Makes folders of small studies, swept by the program. Tests open their pages.
import {appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {perpend} from './browser.mjs';

// Returns a string of TOML in ASCII.
const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function sweep(file, folder, datasets, more) {
  const list = datasets.map(([source, target]) => `{source = ${quoted(source)}, target = ${quoted(target)}}`);
  writeFileSync(file, `datasets = [${list.join(', ')}]\n${more}\n[options]\nhidden = [4]\n`);
  perpend('sweep', file, '-o', folder);
}

// The kinds of page_test.mjs, as words of `perpend report`.
export function studies(at) {
  return {
    study: () => {
      sweep(at('study.toml'), at('study'), [['builtin:shortcut', 'target'], ['builtin:quadrants', 'target']],
        'splits = ["random", "extrapolation"]\nmembers = [2, 3]\nlambda = [0.1, 1.0]\nrestarts = 2\nrow_visits = 2000');
      return [at('study')];
    },
    unfinished: () => {
      cpSync(at('study'), at('unfinished'), {recursive: true});
      const [name] = readdirSync(at('unfinished/results'));
      const file = join(at('unfinished/results'), name);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      writeFileSync(file, lines.slice(0, 20).join('\n') + '\n');
      appendFileSync(file, lines[20].slice(0, 100));  // as a kill leaves it
      return [at('unfinished')];
    },
  };
}

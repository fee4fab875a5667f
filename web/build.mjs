// Bundles the report's script and style and writes them as a C++ source: node build.mjs OUT.cpp
// So the page's needs are inside the program, and a report needs no network and no other file.
import {build, transform} from 'esbuild';
import {readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = ['chrome100', 'firefox100', 'safari15.4'];

// Vega logs and loads nothing here. Its imports for Node are left out.
const bundled = await build({
  entryPoints: [join(here, 'report.js')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  charset: 'ascii',
  legalComments: 'none',
  platform: 'browser',
  target,
  logLevel: 'warning',
});
const style = await transform(await readFile(join(here, 'report.css'), 'utf8'), {loader: 'css', minify: true, target});

// In a script element these would end it or begin a comment. As escapes they are the same string.
const script = bundled.outputFiles[0].text.trim().replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

// Compilers support strings of 65,536 bytes. Adjacent strings are joined.
function literal(text) {
  const pieces = [];
  for (let i = 0; i < text.length; i += 15000) pieces.push(`R"perpend(${text.slice(i, i + 15000)})perpend"`);
  return pieces.join('\n');
}

const [out] = process.argv.slice(2);
await writeFile(out, `// Made by web/build.mjs.
#include "perpend/report/assets.h"

namespace perpend {

Assets page_assets() {
  static constexpr char kPage[] = ${literal(await readFile(join(here, 'page.html'), 'utf8'))};
  static constexpr char kScript[] = ${literal(script)};
  static constexpr char kStyle[] = ${literal(style.code.trim())};
  return {{kPage, sizeof(kPage) - 1}, {kScript, sizeof(kScript) - 1}, {kStyle, sizeof(kStyle) - 1}};
}

}  // namespace perpend
`);
console.log(`report page: script ${script.length} bytes, style ${style.code.length} bytes`);

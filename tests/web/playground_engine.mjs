// Tests the engine and the worker of a playground's page under node: the page's own code, without a browser.
import {readFileSync} from 'node:fs';

export function pageParts(file) {
  const html = readFileSync(file, 'utf8');
  const block = (id) => html.match(new RegExp(`<script type="text/plain" id="${id}">([^<]*(?:<(?!/script>)[^<]*)*)</script>`))[1];
  return {html, worker: block('worker'), engine: block('engine'), sources: html.match(/sources ([0-9a-f]+)/)[1]};
}

export async function engineOf(file) {
  const {worker, engine} = pageParts(file);
  const inside = new Function('self', 'postMessage',
    `${worker}\nreturn {compile, begin, next, weights: () => floats(engine.weights(), engine.weight_count())};`)({}, () => {});
  await inside.compile(engine);
  return inside;
}

// Returns the tensors of a model file, one after the other in its order.
export function weightsOf(file, members) {
  const bytes = readFileSync(file);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, 8 + length));
  const weights = [];
  for (let m = 0; m < members; ++m) {
    for (let l = 0; header[`member.${m}.layer.${l}.weight`]; ++l) {
      for (const part of ['weight', 'bias']) {
        const [first, end] = header[`member.${m}.layer.${l}.${part}`].data_offsets;
        for (let at = first; at < end; at += 4) weights.push(bytes.readFloatLE(8 + length + at));
      }
    }
  }
  return Float32Array.from(weights);
}

// fused_test.mjs PROGRAM WASM: WebAssembly's fused multiply-add rounds once, also where using doubles would round twice.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

const module = new WebAssembly.Module(readFileSync(process.argv[3]));
const imports = {};
for (const {module: from, name} of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => 52;
const wasm = new WebAssembly.Instance(module, imports).exports;
wasm._initialize();

function fused(a, b, c) {
  const numbers = new Float32Array(wasm.memory.buffer, wasm.numbers(), 12);
  for (const [i, x] of [a, b, c].entries()) numbers.fill(x, 4 * i, 4 * i + 4);
  wasm.fuse();
  const [first, ...others] = numbers.slice(8);
  for (const other of others) assert.ok(Object.is(other, first));
  return first;
}

// A finite float as an integer number of 2^-149.
const bits = new DataView(new ArrayBuffer(4));
function integer(x) {
  bits.setFloat32(0, x);
  const word = bits.getUint32(0);
  const exponent = (word >>> 23) & 255;
  const mantissa = BigInt(word & 0x7fffff) + (exponent ? 0x800000n : 0n);
  return (word >>> 31 ? -1n : 1n) * (mantissa << BigInt(Math.max(0, exponent - 1)));
}

// a b + c in integers, rounded once: to nearest, ties to even.
function exact(a, b, c) {
  const sum = integer(a) * integer(b) + (integer(c) << 149n);  // times 2^-298
  const size = sum < 0n ? -sum : sum;
  const drop = BigInt(Math.max(149, size.toString(2).length - 24));
  let kept = size >> drop;
  const rest = size - (kept << drop);
  const half = 1n << (drop - 1n);
  if (rest > half || (rest === half && kept & 1n)) kept += 1n;
  const power = Number(drop) - 298;  // in two steps, so that no power of two leaves the doubles
  const rounded = Number(kept) * 2 ** Math.ceil(power / 2) * 2 ** Math.floor(power / 2);
  return Math.fround(sum < 0n ? -rounded : rounded);
}

test('it is the exact sum, rounded once', () => {
  let seed = 1;
  const draw = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed; };
  const float = (lowest, highest) => {
    bits.setUint32(0, ((draw() & 1) << 31 | (lowest + draw() % (highest - lowest + 1)) << 23 | draw() >>> 9) >>> 0);
    return bits.getFloat32(0);
  };
  const cases = [
    [1 + 2 ** -23, 1 + 2 ** -23, -1], [2 ** -12, 2 ** -12, 1], [1 + 2 ** -12, 2 ** -24, 1], [1 - 2 ** -24, 2 ** -24, 1], [3, 2 ** -25, 1 + 2 ** -23],
    [2 ** -75, 2 ** -75, 2 ** -127], [2 ** -75, 2 ** -75 * (1 + 2 ** -23), 2 ** -127], [2 ** -75, 2 ** -75 * (1 - 2 ** -24), 2 ** -127],
    [2 ** -75, 2 ** -75, 0], [2 ** -75, 2 ** -75 * (1 + 2 ** -23), 0], [2 ** -100, 2 ** -100, 2 ** -149], [2 ** 127, 2, -(2 ** 127)], [3e38, 2, 0], [0, 1, 0],
  ];
  for (let i = 0; i < 20000; ++i) cases.push([float(100, 150), float(100, 150), float(100, 150)], [float(0, 80), float(40, 80), float(0, 30)]);
  // The product is very close to half way between c and its neighbour.
  for (let i = 0; i < 20000; ++i) cases.push([2 ** -12 * (1 + 2 ** -(1 + draw() % 23)), 2 ** -12 * (1 - 2 ** -(1 + draw() % 23)), float(127, 127)]);
  let otherwise = 0;  // cases that doubles alone get wrong
  for (const [a, b, c] of cases.map((one) => one.map(Math.fround))) {
    const got = fused(a, b, c);
    const wanted = exact(a, b, c);
    otherwise += Math.fround(a * b + c) === wanted ? 0 : 1;
    assert.equal(got === 0 ? 0 : got, wanted === 0 ? 0 : wanted, `${a} * ${b} + ${c}`);
  }
  assert.ok(otherwise > 0);
  assert.ok(Number.isNaN(fused(NaN, 1, 1)) && Number.isNaN(fused(Infinity, 0, 1)) && fused(Infinity, 1, 1) === Infinity);
});

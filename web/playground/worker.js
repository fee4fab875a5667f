// Trains in the background, one epoch for each `next` that the page sends, so that a hidden page does not train. Each training
// with new weights has a new engine, so an error in one training does not affect the next.

let module;   // compiled once
let engine;   // the exports of its instance
let task;
let epoch;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

async function compile(base64) {
  const packed = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'));
  module = await WebAssembly.compile(await new Response(packed).arrayBuffer());
}

function textAt(address) {
  const bytes = new Uint8Array(engine.memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// The engine opens no file and reads no clock. Every call to an operating system returns "not supported".
function start() {
  const imports = {page: {fail: (line) => { throw new Error(textAt(line)); }}, wasi_snapshot_preview1: {}};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) imports[from][name] ??= () => 52;
  engine = new WebAssembly.Instance(module, imports).exports;
  engine._initialize();
}

const floats = (address, count) => new Float32Array(engine.memory.buffer, address, count).slice();

function begin(given) {
  task = given;
  epoch = 0;
  if (!task.fromHere) start();
  engine.forget_points();
  for (const {x, y, label} of task.points ?? []) engine.add_point(x, y, label);
  const memory = new Uint8Array(engine.memory.buffer);
  let at = engine.word_buffer();
  const words = [task.set, task.method, task.views].map((word) => {
    const first = at;
    for (const byte of new TextEncoder().encode(word)) memory[at++] = byte;
    memory[at++] = 0;
    return first;
  });
  engine.begin(words[0], words[1], task.members, task.lambda, words[2], task.epochs, task.seed, task.fromHere ? 1 : 0);
  const rows = engine.rows();
  const stride = engine.place_stride();
  const padded = floats(engine.places(), rows * stride);
  return {
    extent: engine.extent(), side: engine.grid_side(), columns: engine.columns(),
    labels: new Int32Array(engine.memory.buffer, engine.labels(), rows).slice(),
    places: Float32Array.from({length: 2 * rows}, (_, i) => padded[(i >> 1) * stride + (i & 1)]),
  };
}

// Sends what the members answer now: on all rows at the end, and on some of them before.
function answers(done) {
  const {members} = task;
  const pairs = members * (members - 1) / 2;
  const gradients = floats(engine.gradients(), 1 + pairs + members * engine.columns());
  return {
    scores: floats(engine.scores(), members * engine.grid_side() ** 2),
    accuracy: floats(engine.accuracy(done ? 1 : 0), members + 1),
    cos2: gradients[0],
    angles: gradients.slice(1, 1 + pairs),
    shares: gradients.slice(1 + pairs),
  };
}

function next() {
  const begun = performance.now();
  const trained = epoch < task.epochs && engine.next_epoch() === 1;
  const step = performance.now() - begun;
  epoch += trained ? 1 : 0;
  const done = !trained || epoch === task.epochs;
  return {epoch, step, done, ...answers(done)};
}

async function answer(data) {
  try {
    if (data.engine) await compile(data.engine);
    if (data.begin) postMessage({of: data.of, begun: begin(data.begin)});
    if (data.next) postMessage({of: data.of, frame: next()});
  } catch (error) {
    postMessage({of: data.of, failed: error.message});
  }
}

// Trainings run one after the other. The first waits until the engine is compiled.
let before = Promise.resolve();
self.onmessage = ({data}) => { before = before.then(() => answer(data)); };

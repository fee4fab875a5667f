// The page: choices, pictures and the words about them. The training itself is in worker.js.
'use strict';

const EPOCHS = 60;
const EPOCHS_ALONE = 25;  // at the start, each member learns alone
const LAMBDAS = [0, 0.03, 0.1, 0.3, 0.5, 1, 3, 10];
const choices = {
  method: {first: 'restarts', words: {restarts: 'Restarts', lit: 'LIT', ncl: 'NCL', ace: 'ACE'}},
  set: {first: 'toy-1', words: {'toy-1': 'Two corners', 'toy-2': 'Turned', 'toy-3': 'With slack', 'toy-4': 'Pinwheel',
    manifold: 'Curved surface', shortcut: 'Shortcut', painted: 'Paint your own'}},
  members: {first: '2', words: {2: '2', 3: '3', 4: '4', 5: '5'}},
  views: {first: 'plain', words: {plain: 'its number', linear: 'linear view', piecewise: 'piecewise view', 'linear,piecewise': 'the two in turn'}},
  colour: {first: '0', words: {0: 'blue', 1: 'red'}},
  background: {first: 'disagreement', words: {probability: 'probability', disagreement: 'disagreement'}},
};
// For each method, the lambda with which to look at it first.
const FIRST_LAMBDA = {restarts: 0, lit: 1, ncl: 0.5, ace: 0.1};

// Places are rounded to few digits for a CSV file, and to the floats that the engine takes.
const place = (x) => Math.fround(Math.round(20 * Math.max(-10, Math.min(10, x))) / 20);

const byId = (id) => document.getElementById(id);
const picture = byId('picture');
const still = matchMedia('(prefers-reduced-motion: reduce)');
const state = {
  lambda: 0, seed: 0, epochs: EPOCHS_ALONE, opening: true, paused: false, legs: [], points: firstPoints(), pen: {x: 0, y: 0},
  number: 0, world: null, frame: null, course: [], frames: 0, steps: [],
};
for (const [name, {first}] of Object.entries(choices)) state[name] = first;

// The first data are two opposite clouds, the same for everyone.
function firstPoints() {
  const points = [];
  for (let i = 0; i < 24; ++i) {
    const label = i % 2;
    const turn = i * 2.39996;
    const far = Math.sqrt((i + 1) / 24) * 2.6;
    const side = label ? 1 : -1;
    points.push({x: place(side * 4.5 + far * Math.cos(turn)), y: place(side * 4.5 + far * Math.sin(turn)), label});
  }
  return points;
}

// ---- the worker
let worker;
function startWorker() {
  const source = URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'}));
  worker = new Worker(source);
  URL.revokeObjectURL(source);
  worker.onmessage = ({data}) => hear(data);
  worker.onerror = (event) => say(`The engine did not start: ${event.message}`);
  worker.postMessage({engine: byId('engine').textContent});
}

const enough = () => state.points.filter((point) => point.label).length > 1 && state.points.filter((point) => !point.label).length > 1;

// Trains from new weights.
function train() {
  Object.assign(state, {frame: null, course: [], legs: []});
  if (state.set === 'painted' && !enough()) {
    state.number += 1;
    state.world = {extent: 10, labels: state.points.map((p) => p.label), places: state.points.flatMap((p) => [p.x, p.y])};
    showControls();
    draw();
    return say('Paint at least two points of each colour.');
  }
  beginLeg(false);
}

// Trains the present members further with other settings, so that their boundaries can be seen to move.
function goOn() {
  if (state.frame) beginLeg(true); else train();
}

function beginLeg(fromHere) {
  state.number += 1;
  state.paused = false;
  state.legs.push({number: state.number, method: state.method, lambda: LAMBDAS[state.lambda], epochs: 0, first: state.course.length});
  showControls();
  const {set, method, views, seed, epochs} = state;
  worker.postMessage({of: state.number, begin: {set, method, views, seed, epochs, fromHere, members: Number(state.members),
    lambda: LAMBDAS[state.lambda], points: set === 'painted' ? state.points : null}});
}

// First each member learns alone. Then, unless the visitor has begun to choose, LIT trains them.
function opened() {
  if (!state.opening) return false;
  if (state.method === 'lit') {
    state.opening = false;
    return false;
  }
  setTimeout(() => { if (state.opening) choose('method', 'lit'); }, 1200);
  return true;
}

const askForMore = () => worker.postMessage({of: state.number, next: true});

function hear({of, begun, frame, failed}) {
  // An epoch that was running when the visitor changed something counts for the leg that it belongs to.
  const leg = state.legs.find(({number}) => number === of);
  if (leg && frame) leg.epochs = frame.epoch;
  if (of !== state.number) return;
  if (failed) {
    state.frame = null;
    return say(failed);
  }
  if (begun) {
    state.world = begun;
    askForMore();
  }
  if (!frame) return;
  state.frame = frame;
  state.steps.push(frame.step);
  state.course.push(mean(frame.angles));
  // With reduced motion the picture changes once, at the end.
  if (still.matches && !frame.done) {
    byId('epoch').textContent = `Epoch ${frame.epoch} of ${state.epochs}`;
    if (!state.paused) askForMore();
    return;
  }
  requestAnimationFrame(() => {
    state.frames += 1;
    show();
    const more = !frame.done || opened();
    document.documentElement.dataset.ready = more ? 'training' : 'yes';
    if (!frame.done && !state.paused && of === state.number) askForMore();
  });
}

// ---- the picture
const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const tint = (name) => style(name).split(' ').map(Number);

// Colours of the grid lie between those of the two classes, or go towards a third where members answer differently.
function tintOf(frame, side) {
  const count = side * side;
  const members = frame.scores.length / count;
  const [from, to, apart] = ['--tint-first', '--tint-second', '--tint-apart'].map(tint);
  const image = new ImageData(side, side);
  for (let i = 0; i < count; ++i) {
    let second = 0;
    let votes = 0;
    for (let m = 0; m < members; ++m) {
      second += 1 / (1 + Math.exp(-frame.scores[m * count + i])) / members;
      votes += frame.scores[m * count + i] > 0 ? 1 / members : 0;
    }
    const split = state.background === 'disagreement' ? 4 * votes * (1 - votes) : 0;
    const share = state.background === 'disagreement' ? Math.round(votes) : second;
    for (let c = 0; c < 3; ++c) {
      const plain = from[c] + share * (to[c] - from[c]);
      image.data[4 * i + c] = plain + split * (apart[c] - plain);
    }
    image.data[4 * i + 3] = 255;
  }
  return image;
}

// Finds where one member's score is 0: one piece of line per cell of the grid (marching squares), in [0, side - 1]^2. It also
// finds the place on this line that is farthest out, but not at the border, for the member's number.
function boundary(scores, side) {
  const path = new Path2D();
  const middle = (side - 1) / 2;
  let end = null;
  let farthest = 0;
  for (let r = 0; r + 1 < side; ++r) {
    for (let c = 0; c + 1 < side; ++c) {
      const corner = [scores[r * side + c], scores[r * side + c + 1], scores[(r + 1) * side + c + 1], scores[(r + 1) * side + c]];
      const crossing = [];
      for (let e = 0; e < 4; ++e) {
        const a = corner[e];
        const b = corner[(e + 1) % 4];
        if (a > 0 === b > 0) continue;
        const t = a / (a - b);
        crossing.push([[c + t, r], [c + 1, r + t], [c + 1 - t, r + 1], [c, r + 1 - t]][e]);
      }
      for (let i = 0; i + 1 < crossing.length; i += 2) {
        path.moveTo(...crossing[i]);
        path.lineTo(...crossing[i + 1]);
        const [x, y] = crossing[i];
        const out = Math.max(Math.abs(x - middle), Math.abs(y - middle));
        if (out <= farthest || out > 0.92 * middle) continue;
        farthest = out;
        end = [x, y];
      }
    }
  }
  return {path, end};
}

function draw() {
  const {world, frame} = state;
  showLegend();
  const size = Math.round(picture.clientWidth * Math.min(2, devicePixelRatio));
  if (!world || size === 0) return;
  if (picture.width !== size) picture.width = picture.height = size;
  const pen = picture.getContext('2d');
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = style('--wash');
  pen.fillRect(0, 0, size, size);
  if (frame) {
    const small = new OffscreenCanvas(world.side, world.side);
    small.getContext('2d').putImageData(tintOf(frame, world.side), 0, 0);
    pen.drawImage(small, 0.5, 0.5, world.side - 1, world.side - 1, 0, 0, size, size);
  }
  pen.drawImage(pointsOf(world, size), 0, 0);
  if (frame) drawBoundaries(pen, size);
  if (state.set === 'painted' && document.activeElement === picture) drawPen(pen, size);
}

const toPixel = (place, size) => (place / state.world.extent + 1) / 2 * size;

// Thousands of points are drawn once and then copied.
let drawnPoints = {};
function pointsOf(world, size) {
  const colour = style('--first');
  if (drawnPoints.world !== world || drawnPoints.size !== size || drawnPoints.colour !== colour) {
    drawnPoints = {world, size, colour, canvas: new OffscreenCanvas(size, size)};
    drawPoints(drawnPoints.canvas.getContext('2d'), size);
  }
  return drawnPoints.canvas;
}

// Points of the second class are triangles, so that colour alone does not tell the classes apart.
function drawPoints(pen, size) {
  const {labels, places} = state.world;
  const radius = size / (labels.length > 1000 ? 330 : 110);
  for (const label of [0, 1]) {
    const path = new Path2D();
    for (let i = 0; i < labels.length; ++i) {
      if (labels[i] !== label) continue;
      const x = toPixel(places[2 * i], size);
      const y = size - toPixel(places[2 * i + 1], size);
      if (label) {
        path.moveTo(x, y - 1.2 * radius);
        path.lineTo(x + 1.1 * radius, y + 0.8 * radius);
        path.lineTo(x - 1.1 * radius, y + 0.8 * radius);
        path.closePath();
      } else {
        path.moveTo(x + radius, y);
        path.arc(x, y, radius, 0, 7);
      }
    }
    pen.fillStyle = style(label ? '--second' : '--first');
    pen.fill(path);
  }
}

function drawBoundaries(pen, size) {
  const {world: {side}, frame} = state;
  const scale = size / (side - 1);
  const members = frame.scores.length / side ** 2;
  const drawn = Array.from({length: members}, (_, m) => boundary(frame.scores.subarray(m * side * side, (m + 1) * side * side), side));
  pen.lineCap = 'round';
  drawn.forEach(({path}, m) => {
    const line = new Path2D();
    line.addPath(path, new DOMMatrix([scale, 0, 0, scale, 0, 0]));
    for (const [colour, width] of [['--paper', size / 75], [`--m${m + 1}`, size / 140]]) {
      pen.strokeStyle = style(colour);
      pen.lineWidth = width;
      pen.stroke(line);
    }
  });
  drawn.forEach(({end}, m) => { if (end) drawNumber(pen, size, m + 1, end.map((x) => x * scale)); });
}

function drawNumber(pen, size, member, [x, y]) {
  pen.fillStyle = style(`--m${member}`);
  pen.beginPath();
  pen.arc(x, y, size / 42, 0, 7);
  pen.fill();
  pen.fillStyle = style('--paper');
  pen.font = `600 ${size / 30}px system-ui, sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(String(member), x, y + size / 400);
}

function drawPen(pen, size) {
  const x = toPixel(state.pen.x, size);
  const y = size - toPixel(state.pen.y, size);
  pen.lineWidth = size / 250;
  pen.strokeStyle = style('--ink');
  pen.strokeRect(x - size / 60, y - size / 60, size / 30, size / 30);
}

// ---- figures and words
const degrees = (angle) => `${Math.round(angle)}\u00b0`;
const percent = (share) => `${Math.floor(1000 * share + 0.5) / 10}%`;

function columnNames() {
  if (state.set === 'shortcut') return ['ward', 'sodium', 'potassium', 'height', 'floor', 'weekday', 'hour', 'bed'];
  return state.set === 'manifold' ? ['x', 'y', 'z'] : ['x', 'y'];
}

// Returns the columns that make most of a member's gradient, each with its share.
function looksAt(member) {
  const {columns} = state.world;
  const shares = [...state.frame.shares.subarray(member * columns, (member + 1) * columns)];
  return columnNames().map((name, i) => ({name, share: shares[i]})).sort((a, b) => b.share - a.share);
}

// Returns one sentence about the picture.
function sentence() {
  const {frame} = state;
  const members = Number(state.members);
  const angle = mean(frame.angles);
  const worst = Math.min(...frame.accuracy.subarray(0, members));
  const all = members === 2 ? 'Both members' : `All ${members} members`;
  if (worst < 0.97) {
    const weak = [...frame.accuracy.subarray(0, members)].indexOf(worst) + 1;
    return `Member ${weak} answers only ${percent(worst)} of the points: ${degrees(angle)} apart is more than these points allow. Try a smaller \u03bb.`;
  }
  const looks = Array.from({length: members}, (_, m) => looksAt(m)[0]);
  if (members === 2 && angle > 60 && looks.every(({share}) => share > 0.7) && looks[0].name !== looks[1].name) {
    return `Member 2 uses the other column: ${looks[1].name} where member 1 uses ${looks[0].name}. Angle ${degrees(angle)}, and both fit the points.`;
  }
  if (angle > 60) return `${all} fit the points, by different reasons: their boundaries are ${degrees(angle)} apart.`;
  if (angle < 25) return `${all} draw much the same boundary: ${degrees(angle)} apart. One opinion, ${members === 2 ? 'twice' : `${members} times`}.`;
  return `${all} fit the points; their boundaries are ${degrees(angle)} apart${members > 2 ? ' on average' : ''}.`;
}


const HOW = {
  'toy-1': 'The two corners without points could belong to either class. A vertical line fits, and so does a horizontal one.',
  'toy-2': 'The same corners, turned by 60 degrees: no column is the answer by itself.',
  'toy-3': 'Corners with slack: more points and narrower gaps, so there is less room for two boundaries.',
  'toy-4': 'A pinwheel: a straight line does not fit, a curve does.',
  manifold: 'The corners lie on a curved surface in three dimensions; you look at its chart. Orthogonal there is not orthogonal here.',
  shortcut: 'A cut through eight columns: ward (across) and sodium (up), the others at 0. Ward gives the answer away; the truth is a ring in sodium and potassium. Most points lie off the cut, so some seem to be on the wrong side.',
  painted: 'Click or touch to add a point. With the keyboard: arrows move, 1 and 2 add a point of either colour, Backspace removes the last.',
};

function say(text) {
  byId('seen').textContent = text;
  byId('said').textContent = text;
}

function show() {
  draw();
  const {frame} = state;
  const members = Number(state.members);
  const angle = mean(frame.angles);
  byId('angle').textContent = degrees(angle);
  byId('cos2').textContent = frame.cos2.toFixed(3);
  byId('epoch').textContent = `Epoch ${frame.epoch} of ${state.epochs}. All members together answer ${percent(frame.accuracy[members])} of the points.`;
  byId('seen').textContent = sentence();
  if (frame.done) byId('said').textContent = sentence();
  byId('command').textContent = commands();
  drawDial(angle);
  drawCourse();
  const rows = Array.from({length: members}, (_, m) => rowOf(m));
  byId('each').replaceChildren(...rows);
  showControls();
}

function element(name, attributes = {}, ...inside) {
  const made = ['line', 'path', 'polyline', 'circle', 'text'].includes(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function rowOf(member) {
  const stroke = element('span', {class: 'stroke'});
  stroke.style.borderTopColor = `var(--m${member + 1})`;
  const seen = looksAt(member).filter(({share}) => share > 0.1).map(({name, share}) => `${name} ${Math.round(100 * share)}%`).join(', ');
  return element('tr', {}, element('th', {scope: 'row'}, stroke, String(member + 1)), element('td', {}, percent(state.frame.accuracy[member])), element('td', {}, seen));
}

// Draws a protractor: the first member's boundary lies flat, and the others at their angle to it.
function drawDial(angle) {
  const parts = [element('path', {d: 'M5 65 A55 55 0 0 1 115 65', fill: 'none', stroke: 'var(--rule)', 'stroke-width': 1.5}),
    element('line', {x1: 5, y1: 65, x2: 115, y2: 65, stroke: 'var(--m1)', 'stroke-width': 4})];
  const others = state.members === '2' ? [angle] : [...state.frame.angles.subarray(0, Number(state.members) - 1)];
  others.forEach((turned, i) => {
    const turn = turned * Math.PI / 180;
    parts.push(element('line', {x1: 60, y1: 65, x2: 60 + 55 * Math.cos(turn), y2: 65 - 55 * Math.sin(turn), stroke: `var(--m${i + 2})`, 'stroke-width': 4}));
  });
  byId('dial').replaceChildren(...parts);
}

function drawCourse() {
  const at = (angle) => 86 - angle / 90 * 82;
  const across = 320 / (state.legs.at(-1).first + state.epochs);
  const line = (x1, y1, x2, y2) => element('line', {x1, y1, x2, y2, stroke: 'var(--rule)', 'stroke-width': 1, 'vector-effect': 'non-scaling-stroke'});
  const points = state.course.map((angle, i) => `${(i + 1) * across},${at(angle)}`).join(' ');
  byId('course').replaceChildren(line(0, at(0), 320, at(0)), line(0, at(90), 320, at(90)),
    ...state.legs.slice(1).map(({first}) => line(first * across, at(0), first * across, at(90))),
    element('polyline', {points, fill: 'none', stroke: 'var(--accent)', 'stroke-width': 2.5, 'vector-effect': 'non-scaling-stroke'}));
}

// Writes one command per leg. Each begins with the weights of the one before it.
function commands() {
  const data = state.set === 'painted' ? 'painted.csv' : `builtin:${state.set}`;
  const legs = state.legs.filter(({epochs}, i) => epochs > 0 || i === state.legs.length - 1);
  return legs.map(({method, lambda, epochs}, i) => `perpend train ${data} --target target --split none --method ${method}`
    + `${method === 'restarts' ? '' : ` --lambda ${lambda}`} --members ${state.members} --views ${state.views} --epochs ${epochs} --early-stopping 0`
    + ` --seed ${state.seed}${i > 0 ? ` --init ${i}.safetensors` : ''} -o ${i + 1}.safetensors`).join('\n');
}

function showLegend() {
  const tile = (name, text) => {
    const made = element('i');
    made.style.background = `rgb(${style(name)})`;
    return [made, text];
  };
  const apart = state.background === 'disagreement' ? tile('--tint-apart', 'they disagree') : ['  a mixture: the mean of their probabilities'];
  byId('legend').replaceChildren(...tile('--tint-first', 'all answer as the dots'), ...tile('--tint-second', 'all answer as the triangles'), ...apart);
}

function showControls() {
  byId('lambda').value = state.lambda;
  byId('lambda').disabled = state.method === 'restarts';
  byId('lambda').closest('.slider').classList.toggle('off', state.method === 'restarts');
  byId('lambda-value').textContent = state.method === 'restarts' ? 'restarts have none' : LAMBDAS[state.lambda];
  byId('how').textContent = HOW[state.set];
  for (const id of ['clear', 'save', 'colour']) byId(id).hidden = state.set !== 'painted';
  const paints = state.set === 'painted';
  picture.classList.toggle('paint', paints);
  picture.tabIndex = paints ? 0 : -1;
  picture.setAttribute('role', paints ? 'application' : 'img');
  byId('pause').textContent = state.paused ? 'Go on' : 'Pause';
  byId('pause').disabled = !state.frame || state.frame.done;
}

// ---- what the visitor does
function setUpChoices() {
  for (const [name, {words}] of Object.entries(choices)) {
    for (const [value, word] of Object.entries(words)) {
      const input = element('input', {type: 'radio', name, value});
      input.checked = value === state[name];
      input.addEventListener('change', () => {
        state.opening = false;
        choose(name, value);
      });
      byId(name).append(element('label', {}, input, word));
    }
  }
}

function choose(name, value) {
  state[name] = value;
  byId(name).querySelector(`[value="${value}"]`).checked = true;
  if (name === 'background') return draw();
  if (name === 'colour') return;
  state.epochs = EPOCHS;
  if (name !== 'method') return train();
  state.lambda = LAMBDAS.indexOf(FIRST_LAMBDA[value]);
  goOn();
}

function paint(x, y, label) {
  state.points.push({x: place(x), y: place(y), label});
  train();
}

function savePoints() {
  const lines = state.points.map(({x, y, label}) => `${x},${y},${label ? 'red' : 'blue'}\n`);
  const link = element('a', {download: 'painted.csv'});
  link.href = URL.createObjectURL(new Blob(['x,y,target\n', ...lines], {type: 'text/csv'}));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function setUpPainting() {
  picture.addEventListener('pointerdown', (event) => {
    if (state.set !== 'painted') return;
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width * 2 - 1) * 10;
    const y = (1 - (event.clientY - box.top) / box.height * 2) * 10;
    paint(x, y, event.button === 2 ? 1 - state.colour : Number(state.colour));
  });
  picture.addEventListener('contextmenu', (event) => { if (state.set === 'painted') event.preventDefault(); });
  picture.addEventListener('keydown', (event) => {
    if (state.set !== 'painted') return;
    const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (move) {
      for (const [i, axis] of ['x', 'y'].entries()) state.pen[axis] = Math.max(-10, Math.min(10, state.pen[axis] + move[i] / 2));
      draw();
    } else if (event.key === '1' || event.key === '2') {
      paint(state.pen.x, state.pen.y, Number(event.key) - 1);
    } else if (event.key === 'Backspace') {
      state.points.pop();
      train();
    } else {
      return;
    }
    event.preventDefault();
  });
  for (const seen of ['focus', 'blur']) picture.addEventListener(seen, draw);
}

function setUpButtons() {
  byId('controls').addEventListener('submit', (event) => event.preventDefault());
  byId('again').addEventListener('click', () => {
    Object.assign(state, {opening: false, epochs: EPOCHS});
    train();
  });
  byId('other').addEventListener('click', () => {
    Object.assign(state, {opening: false, epochs: EPOCHS, seed: state.seed + 1});
    train();
  });
  byId('clear').addEventListener('click', () => {
    state.points = [];
    train();
  });
  byId('save').addEventListener('click', savePoints);
  byId('pause').addEventListener('click', () => {
    state.paused = !state.paused;
    showControls();
    if (!state.paused) askForMore();
  });
  byId('lambda').addEventListener('input', () => { byId('lambda-value').textContent = LAMBDAS[byId('lambda').value]; });
  byId('lambda').addEventListener('change', () => {
    Object.assign(state, {lambda: Number(byId('lambda').value), opening: false, epochs: EPOCHS});
    goOn();
  });
}

setUpChoices();
setUpButtons();
setUpPainting();
new ResizeObserver(draw).observe(picture);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
startWorker();
train();

// Draws the charts of a report, and saves their data and pictures.
//
// The page holds one JSON block with a Vega-Lite specification per chart, and its data as columns and rows. Strings from
// data reach the page only as text nodes and as marks' text, never as markup or expressions. The policy of the page
// forbids eval, so vega-interpreter evaluates expressions.
import {compile} from 'vega-lite';
import {expressionInterpreter} from 'vega-interpreter';
import {Error as LogErrors, parse, View} from 'vega';

const charts = JSON.parse(document.getElementById('charts').textContent);
for (const chart of charts) {
  if (!chart.data_of) continue;
  const other = charts.find((one) => one.id === chart.data_of);
  chart.columns = other.columns;
  chart.rows = other.rows;
}

// ---- look: colours are variables of the style sheet, so that a change of theme or printing redraws nothing.
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const ink = 'var(--ink)';
const soft = 'var(--soft)';
const config = {
  aria: false,
  background: null,
  font: FONT,
  padding: {left: 2, right: 6, top: 4, bottom: 2},
  view: {stroke: null},
  axis: {
    labelColor: soft, titleColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8,
    gridColor: 'var(--grid)', domainColor: 'var(--rule)', tickColor: 'var(--rule)', tickSize: 4, labelPadding: 4,
  },
  axisY: {domain: false, ticks: false, titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleBaseline: 'bottom',
    titleX: 0, titleY: -9},
  legend: {orient: 'top', direction: 'horizontal', title: null, labelColor: ink, labelFontSize: 12, symbolStrokeWidth: 3,
    offset: 8, columnPadding: 12, rowPadding: 2, padding: 0},
  header: {title: null, labelColor: ink, labelFontSize: 12, labelFontWeight: 600},
  range: {category: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `var(--m${i})`)},
  style: {
    ensemble: {color: ink, stroke: ink, strokeWidth: 3},
    reference: {color: 'var(--rule)', stroke: 'var(--rule)', strokeDash: [4, 4]},
    tick: {color: ink, stroke: ink},
    accent: {color: 'var(--accent)', fill: 'var(--accent)'},
    bar: {strokeWidth: 0},
  },
};

// Vega groups rows by the properties of a plain object. A name that every object has (constructor, __proto__) gets an
// invisible mark, which tables and CSV do not have.
function groupable(value) {
  return typeof value === 'string' && value in Object.prototype ? `\u200b${value}` : value;
}

// Where the reader has a choice, a chart draws the rows of that choice. Its table and CSV have all rows.
function rowsOf(chart) {
  const choice = chart.spec.usermeta?.choice;
  const column = choice ? chart.columns.indexOf(choice.field) : -1;
  const rows = choice ? chart.rows.filter((row) => row[column] === chart.chosen) : chart.rows;
  return rows.map((row) => Object.fromEntries(chart.columns.map((name, i) => [name, groupable(row[i])])));
}

// ---- drawing
const tooltip = document.getElementById('tooltip');

function showTooltip(handler, event, item, value) {
  if (value === null || value === undefined || value === '') {
    tooltip.hidden = true;
    return;
  }
  tooltip.replaceChildren();
  for (const [name, text] of Object.entries(value)) {
    if (text === 'null' || text === 'undefined' || text === 'NaN') continue;
    const line = tooltip.appendChild(document.createElement('div'));
    line.appendChild(document.createElement('span')).textContent = name;
    line.appendChild(document.createElement('b')).textContent = String(text);
  }
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  const right = event.clientX + 14 + box.width < window.innerWidth;
  const below = event.clientY + 18 + box.height < window.innerHeight;
  tooltip.style.left = `${Math.max(4, right ? event.clientX + 14 : event.clientX - 14 - box.width)}px`;
  tooltip.style.top = `${Math.max(4, below ? event.clientY + 18 : event.clientY - 12 - box.height)}px`;
}

async function viewOf(spec, chart, container, width, header) {
  // Long names from data may take a third of the picture, and are then cut.
  const labelLimit = Math.max(70, Math.round(width / 3.2));
  const sized = {...config, axisY: {...config.axisY, labelLimit}, header: {...config.header, labelLimit: header ?? labelLimit},
    legend: {...config.legend, ...(width < 480 ? {columns: 3} : {})}};
  const runtime = parse(compile(spec, {config: sized}).spec, null, {ast: true});
  const view = new View(runtime, {expr: expressionInterpreter, renderer: 'svg', logLevel: LogErrors});
  view.data('table', rowsOf(chart));
  view.tooltip(showTooltip);
  view.initialize(container).hover();
  await view.runAsync();
  return view;
}

// A single view takes the container's width itself. The cells of a small multiple share what headers and gaps leave,
// which is known once it has been drawn.
async function draw(chart, container) {
  if (container.closest('.fold:not([open])')) return;
  const width = Math.floor(container.clientWidth);
  if (width === 0 || width === chart.width) return;
  chart.width = width;
  const spec = structuredClone(chart.spec);
  const many = spec.usermeta?.cells;
  let view;
  if (many) {
    const across = Math.max(1, Math.min(many, Math.floor(width / spec.usermeta.least)));
    if (spec.columns) spec.columns = across;
    const first = Math.max(40, Math.floor(width / across) - 80);
    const cells = spec.concat ?? [spec.spec];
    cells.forEach((cell) => { cell.width = first; });
    view = await viewOf(spec, chart, container, width, spec.columns && Math.floor(width / across) - 12);
    // Vega-Lite gives this name to the width that all cells share.
    const name = !spec.concat ? 'child_width' : across === 1 ? 'width' : 'childWidth';
    // It takes several rounds: a long label above a narrow cell takes room that it gives back above a wide one.
    for (let pass = 0, cell = first; pass < 3; ++pass) {
      const drawn = Number(container.querySelector('svg').getAttribute('width'));
      cell = Math.max(40, Math.floor(cell + (width - drawn) / across));
      await view.signal(name, cell).resize().runAsync();
    }
  } else {
    spec.width = width;
    spec.autosize = {type: 'fit-x', contains: 'padding'};
    view = await viewOf(spec, chart, container, width);
  }
  // The container is the image, and has its description.
  container.querySelector('svg').setAttribute('aria-hidden', 'true');
  chart.view?.finalize();
  chart.view = view;
}

// ---- saving
function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.appendChild(link).click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function csvOf(chart) {
  const cell = (value) => {
    if (value === null) return '';
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [chart.columns, ...chart.rows].map((row) => row.map(cell).join(',') + '\n').join('');
}

// Returns the present picture, with the colours of the theme written out and the paper as background.
async function svgOf(chart) {
  const text = await chart.view.toSVG();
  const style = getComputedStyle(document.documentElement);
  const coloured = text.replace(/var\((--[a-z0-9-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  const paper = style.getPropertyValue('--paper').trim();
  return coloured.replace(/(<svg[^>]*>)/, `$1<rect width="100%" height="100%" fill="${paper}"/>`);
}

async function pngOf(chart) {
  const svg = await svgOf(chart);
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
    image.src = url;
  });
  const canvas = document.createElement('canvas');
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function saveAs(kind, chart) {
  if (kind === 'csv') save(`${chart.id}.csv`, new Blob([csvOf(chart)], {type: 'text/csv'}));
  if (kind === 'svg') save(`${chart.id}.svg`, new Blob([await svgOf(chart)], {type: 'image/svg+xml'}));
  if (kind === 'png') save(`${chart.id}.png`, await pngOf(chart));
}

// ---- the table behind a chart, made when it is opened
const FIRST_ROWS = 500;

function shown(value) {
  if (typeof value !== 'number') return value === null ? '–' : value;
  return Number.isInteger(value) ? value.toLocaleString('en') : Number(value.toPrecision(4)).toString();
}

function fillTable(table, chart) {
  if (table.tBodies.length > 0) return;
  const head = table.createTHead().insertRow();
  for (const name of chart.columns) {
    const cell = head.appendChild(document.createElement('th'));
    cell.scope = 'col';
    cell.textContent = name.replaceAll('_', ' ');
  }
  const body = table.createTBody();
  for (const row of chart.rows.slice(0, FIRST_ROWS)) {
    const line = body.insertRow();
    for (const value of row) {
      const cell = line.insertCell();
      cell.textContent = shown(value);
      if (typeof value === 'number') cell.className = 'number';
    }
  }
  if (chart.rows.length > FIRST_ROWS) {
    table.createCaption().textContent = `The first ${FIRST_ROWS} of ${chart.rows.length} rows; CSV saves all.`;
  }
}

// ---- theme
function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}

function setUpTheme() {
  const button = document.getElementById('theme');
  const name = () => {
    button.textContent = themeNow() === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to the ${button.textContent.toLowerCase()} theme`);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = themeNow() === 'dark' ? 'light' : 'dark';
    name();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
  name();
}

// Radio buttons above the plot. The choice stays readable when the page is printed.
function setUpChoice(figure, chart) {
  const choice = chart.spec.usermeta?.choice;
  if (!choice) return;
  chart.chosen = choice.first;
  const plot = figure.querySelector('.plot');
  const group = document.createElement('fieldset');
  group.className = 'choice';
  group.appendChild(document.createElement('legend')).textContent = choice.title;
  for (const value of choice.values) {
    const label = group.appendChild(document.createElement('label'));
    const button = label.appendChild(document.createElement('input'));
    button.type = 'radio';
    button.name = `choice-${chart.id}`;
    button.checked = value === chart.chosen;
    label.append(` ${value}`);
    label.classList.toggle('chosen', button.checked);
    button.addEventListener('change', () => {
      chart.chosen = value;
      chart.width = 0;
      for (const other of group.querySelectorAll('label')) other.classList.toggle('chosen', other === label);
      draw(chart, plot);
    });
  }
  figure.insertBefore(group, plot);
}

function setUpTools(figure, chart) {
  for (const button of figure.querySelectorAll('button[data-save]')) {
    button.addEventListener('click', () => saveAs(button.dataset.save, chart));
  }
  const details = figure.querySelector('details');
  details.addEventListener('toggle', () => fillTable(details.querySelector('table'), chart));
}

async function main() {
  setUpTheme();
  const drawn = [];
  for (const chart of charts) {
    const figure = document.getElementById(chart.id);
    setUpTools(figure, chart);
    setUpChoice(figure, chart);
    drawn.push([chart, figure.querySelector('.plot')]);
  }
  let busy = Promise.resolve();
  const drawAll = async () => {
    for (const [chart, plot] of drawn) await draw(chart, plot);
  };
  await drawAll();
  // A folded section is drawn when it is opened.
  for (const fold of document.querySelectorAll('.fold')) {
    fold.addEventListener('toggle', () => { busy = busy.then(drawAll); });
  }
  let waiting = 0;
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { busy = busy.then(drawAll); }, 120);
  }).observe(document.querySelector('main'));
  addEventListener('keydown', (event) => { if (event.key === 'Escape') tooltip.hidden = true; });
  addEventListener('scroll', () => { tooltip.hidden = true; }, {passive: true});
  document.documentElement.dataset.ready = 'yes';
}

main();

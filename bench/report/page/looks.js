// The model that the page carries, and how a column looks: its colour, its hatching, its name.
// Every figure was worked out beforehand: nothing is computed here but positions.

// Null on a page of storage alone, whose charts carry their own lines.
const model = JSON.parse(document.getElementById('model').textContent);

// Okabe and Ito's colours, told apart by colour-blind readers; a medium has one, and its layout
// and cache are shades of it.
const KIND_COLOURS = {
  nvme: '#d55e00', dram: '#0072b2', 'app-direct': '#009e73', 'memory-mode': '#cc79a7',
  cxl: '#e69f00', numa: '#56b4e9',
};
const LINE_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8a8a'];
const POINT_STYLES = ['circle', 'triangle', 'rect', 'rectRot', 'star', 'cross', 'crossRot'];
const DASHES = [[], [6, 3], [2, 2]];
const NARROW = window.matchMedia('(max-width: 40rem)');
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

const state = {log: model ? model.log : false, threads: null, hidden: new Set(), group: 0, printing: false};
const charts = new Map();

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function channel(colour, at) {
  return parseInt(colour.slice(1 + 2 * at, 3 + 2 * at), 16);
}

// A colour moved towards white or black.
function shade(colour, share) {
  const towards = share > 0 ? 255 : 0;
  const part = Math.abs(share);
  const mixed = [0, 1, 2].map((at) => Math.round(channel(colour, at) * (1 - part) + towards * part));
  return '#' + mixed.map((value) => value.toString(16).padStart(2, '0')).join('');
}

// Second and further media of one kind are shaded apart.
function rankWithinKind(index) {
  const column = model.columns[index];
  const media = [...new Set(model.columns.filter((one) => one.kind === column.kind)
    .map((one) => one.medium))];
  return media.indexOf(column.medium);
}

function columnColour(index) {
  const column = model.columns[index];
  const base = KIND_COLOURS[column.kind] || '#8a8a8a';
  // From dark to pale: partitioned cold, partitioned warm, flat cold, flat warm.
  let share = column.cache === 'cold' ? -0.45 : 0;
  if (column.layout === 'flat') share = column.cache === 'cold' ? 0.3 : 0.62;
  return shade(base, Math.max(-0.6, Math.min(0.75, share + 0.15 * rankWithinKind(index))));
}

// Emulated: hatched.
function hatched(colour) {
  const tile = element('canvas', {width: 8, height: 8});
  const pen = tile.getContext('2d');
  pen.fillStyle = css('--page') || '#fff';
  pen.fillRect(0, 0, 8, 8);
  pen.fillStyle = colour + '55';
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  for (const from of [-8, 0, 8]) {
    pen.moveTo(from, 8);
    pen.lineTo(from + 8, 0);
  }
  pen.stroke();
  return pen.createPattern(tile, 'repeat');
}

function columnFill(index) {
  const colour = columnColour(index);
  return model.columns[index].emulation ? hatched(colour) : colour;
}

function columnName(index, note) {
  const column = model.columns[index];
  const notes = [note, column.emulation].filter(Boolean);
  return column.label + (notes.length ? ` (${notes.join('; ')})` : '');
}

function swatch(fill, border) {
  const box = element('canvas', {width: 18, height: 12});
  box.setAttribute('aria-hidden', 'true');
  const pen = box.getContext('2d');
  pen.fillStyle = fill;
  pen.fillRect(0, 0, 18, 12);
  pen.strokeStyle = border;
  pen.strokeRect(0.5, 0.5, 17, 11);
  return box;
}

// A line as the chart draws it: its colour, dash and mark.
function lineSwatch(dataset) {
  const box = element('canvas', {width: 34, height: 14});
  box.setAttribute('aria-hidden', 'true');
  const pen = box.getContext('2d');
  pen.strokeStyle = dataset.borderColor;
  pen.fillStyle = dataset.borderColor;
  pen.lineWidth = 2;
  pen.setLineDash(dataset.borderDash);
  pen.beginPath();
  pen.moveTo(0, 7);
  pen.lineTo(34, 7);
  pen.stroke();
  pen.setLineDash([]);
  if (dataset.pointRadius) {
    Chart.helpers.drawPoint(pen, {pointStyle: dataset.pointStyle, radius: 5, borderWidth: 2}, 17, 7);
  }
  return box;
}

function drawLegend(id, entries) {
  const list = document.querySelector(`.legend[data-for="${id}"]`);
  list.replaceChildren(...entries.map(({name, fill, border, line}) =>
    element('li', {}, line ? lineSwatch(line) : swatch(fill, border), name)));
}

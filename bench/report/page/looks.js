// The model that the page carries, and how a column looks: its colour, filling, shape, name.
// Every figure was worked out beforehand: nothing is computed here but positions.

// Null on a page of storage alone, whose charts carry their own lines.
const model = JSON.parse(document.getElementById('model').textContent);

// A tier's family has one colour, --nvme to --cxl in report.css; its columns differ in how full the
// bars are and in the shape of points.
const FILLS = [1, 0.3, 0.62, 0.12];
const LINE_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a8a8a'];
const POINT_STYLES = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross', 'crossRot'];
const DASHES = [[], [6, 3], [2, 2]];
const NARROW = window.matchMedia('(max-width: 40rem)');
const DARK = window.matchMedia('(prefers-color-scheme: dark)');

const state = {
  log: model ? model.log : false, threads: null, hidden: new Set(), machinesHidden: new Set(), setting: 0, efficiency: false,
  chart: 0, printing: false,
};
const charts = new Map();

// Columns of machines that are shown, and of those the columns that are not.
const isOfShown = (index) => !state.machinesHidden.has(model.columns[index].machine);
const isHidden = (index) => state.hidden.has(index) || !isOfShown(index);

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A colour mixed with the page's.
function faded(colour, share) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgba(${parts.join(', ')}, ${share})`;
}

const columnColour = (index) => css(`--${model.columns[index].family}`);

// Its place among the columns of its family.
function rankInFamily(index) {
  const {family} = model.columns[index];
  return model.columns.slice(0, index).filter((column) => column.family === family).length;
}

const columnShape = (index) => POINT_STYLES[rankInFamily(index) % POINT_STYLES.length];
const columnDash = (index) => DASHES[rankInFamily(index) % DASHES.length];

// Emulated: hatched.
function hatched(colour, share) {
  const tile = element('canvas', {width: 8, height: 8});
  const pen = tile.getContext('2d');
  pen.fillStyle = css('--page') || '#fff';
  pen.fillRect(0, 0, 8, 8);
  pen.fillStyle = faded(colour, share / 3);
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = colour;
  pen.lineWidth = 1 + share;
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
  const share = FILLS[rankInFamily(index) % FILLS.length];
  return model.columns[index].emulation ? hatched(colour, share) : faded(colour, share);
}

// Points of emulated media are hollow.
function pointLook(index) {
  const colour = columnColour(index);
  return {
    borderColor: colour,
    backgroundColor: model.columns[index].emulation ? css('--page') : colour,
    borderWidth: 2,
    pointStyle: columnShape(index),
  };
}

function columnName(index, note) {
  const column = model.columns[index];
  const notes = [note, column.emulation].filter(Boolean);
  return column.label + (notes.length ? ` (${notes.join('; ')})` : '');
}

// A bar and a point as charts draw them.
function swatch(fill, border, look) {
  const box = element('canvas', {width: look ? 40 : 18, height: 14});
  box.setAttribute('aria-hidden', 'true');
  const pen = box.getContext('2d');
  pen.fillStyle = fill;
  pen.fillRect(0, 1, 18, 12);
  pen.strokeStyle = border;
  pen.strokeRect(0.5, 1.5, 17, 11);
  if (look) {
    pen.fillStyle = look.backgroundColor;
    pen.lineWidth = 2;
    Chart.helpers.drawPoint(pen, {pointStyle: look.pointStyle, radius: 5, borderWidth: 2}, 31, 7);
  }
  return box;
}

function chips(index) {
  const column = model.columns[index];
  return element('span', {className: 'chips'}, ...column.chips.map((text, at) => element('span', {
    className: `chip${at === 0 ? ` tier t-${column.family}` : ''}`,
    textContent: text,
    title: column.emulation && at === column.chips.length - 1 ? column.emulation : '',
  })));
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
    const look = {pointStyle: dataset.pointStyle, radius: 5, borderWidth: 2};
    Chart.helpers.drawPoint(pen, look, 17, 7);
  }
  return box;
}

function drawLegend(id, entries) {
  const list = document.querySelector(`.legend[data-for="${id}"]`);
  list.replaceChildren(...entries.map(({name, fill, border, line}) =>
    element('li', {}, line ? lineSwatch(line) : swatch(fill, border), name)));
}

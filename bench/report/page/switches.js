// Drawing all charts, the switches that draw them again, themes and printing.

function drawAll() {
  document.querySelectorAll('canvas[data-chart]').forEach(drawCarried);
  if (!model) return;
  drawTiers();
  drawSwatches();
  chooseChart();
  model.charts.forEach(drawPaperChart);
  drawThreads();
  drawLimit();
  drawRoofline();
  drawUsers();
}

function radios(title, name, choices, chosen, choose) {
  const group = element('fieldset', {}, element('legend', {textContent: title}));
  for (const [value, text] of choices) {
    const input = element('input', {type: 'radio', name, value, checked: value === chosen});
    input.addEventListener('change', () => choose(value));
    group.append(element('label', {}, input, text));
  }
  return group;
}

// The one legend of the page, which chooses what is shown.
function mediaBoxes() {
  const group = element('fieldset', {className: 'media'},
    element('legend', {textContent: 'Media, in every chart'}));
  model.columns.forEach((_column, index) => {
    const input = element('input', {type: 'checkbox', name: 'medium', value: index, checked: true});
    input.addEventListener('change', () => {
      if (input.checked) state.hidden.delete(index); else state.hidden.add(index);
      drawAll();
    });
    group.append(element('label', {}, input,
      swatch(columnFill(index), columnColour(index), pointLook(index)), chips(index)));
  });
  return group;
}

// The theme's colours.
function drawSwatches() {
  document.querySelectorAll('.media label').forEach((label, index) => label.querySelector('canvas')
    .replaceWith(swatch(columnFill(index), columnColour(index), pointLook(index))));
}

function selector(id, title, choices, choose) {
  const select = element('select', {id}, ...choices.map((text, value) =>
    element('option', {value, textContent: text})));
  select.addEventListener('change', () => choose(Number(select.value)));
  return element('label', {htmlFor: id}, `${title} `, select);
}

function makeThreadSwitches() {
  if (!model.threads.length) return;
  const form = document.getElementById('thread-switches');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.append(radios('Shown', 'measure', [['times', 'times as fast'], ['efficiency', 'efficiency']],
    'times', (value) => {
      state.efficiency = value === 'efficiency';
      drawThreads();
    }));
  if (model.threads.length < 2) return;
  form.append(selector('thread-group', 'Axes', model.threads.map((one) => one.label), (value) => {
    state.setting = value;
    drawThreads();
  }));
}

function makeSwitches() {
  if (!model) return;
  const form = document.getElementById('switches');
  form.addEventListener('submit', (event) => event.preventDefault());
  const titles = [...document.querySelectorAll('.charts figcaption')].map((one) => one.textContent);
  form.append(selector('chart-choice', 'Chart', titles, (value) => {
    state.chart = value;
    drawAll();
  }));
  form.append(radios('Scale', 'scale', [['linear', 'linear'], ['log', 'log']],
    state.log ? 'log' : 'linear', (value) => {
      state.log = value === 'log';
      drawAll();
    }));
  const counts = threadCounts();
  state.threads = counts.length ? counts[counts.length - 1] : null;
  if (counts.length > 1) {
    form.append(radios('Threads', 'threads', counts.map((count) => [count, String(count)]),
      state.threads, (value) => {
        state.threads = value;
        drawAll();
      }));
  }
  form.append(mediaBoxes());
  makeThreadSwitches();
}

// A table that is wider than its box says that it goes on.
function watchScrolling() {
  const look = (box) => box.parentElement.classList.toggle('goes-on',
    box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  const observer = new ResizeObserver((entries) => entries.forEach((entry) => look(entry.target)));
  document.querySelectorAll('.scroll').forEach((box) => {
    box.addEventListener('scroll', () => look(box), {passive: true});
    observer.observe(box);
  });
}

const STEPS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

// Arrow keys walk through the verdict's cells, each with its interval; Tab leaves the table.
function walkCells() {
  document.querySelectorAll('.verdict table').forEach((table) => {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll('td')]);
    rows.flat().forEach((cell) => { cell.tabIndex = -1; });
    const first = rows[0] && rows[0][0];
    if (first) first.tabIndex = 0;
    table.addEventListener('keydown', (event) => {
      const step = STEPS[event.key];
      const row = rows.findIndex((cells) => cells.includes(event.target));
      if (!step || row < 0) return;
      event.preventDefault();
      const next = (rows[row + step[0]] || [])[rows[row].indexOf(event.target) + step[1]];
      if (!next) return;
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  });
}

function makeThemes() {
  const group = document.getElementById('theme');
  group.hidden = false;
  const chosen = radios('Colours', 'theme', [['system', 'as the system'], ['light', 'light'],
    ['dark', 'dark']], 'system', (value) => {
    if (value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    drawAll();
  });
  group.replaceChildren(...chosen.childNodes);
}

// Printed charts are light and upright, whatever the screen is, and answers have their figures.
function print(isPrinting) {
  state.printing = isPrinting;
  const root = document.documentElement;
  if (isPrinting) {
    state.theme = root.dataset.theme;
    root.dataset.theme = 'light';
    state.folded = [...document.querySelectorAll('#answers details:not([open])')];
    state.folded.forEach((one) => { one.open = true; });
  } else if (state.theme) {
    root.dataset.theme = state.theme;
  } else {
    delete root.dataset.theme;
  }
  if (!isPrinting) state.folded.forEach((one) => { one.open = false; });
  drawAll();
}

makeThemes();
makeSwitches();
drawAll();
makeMachineBoxes();
watchScrolling();
walkCells();
DARK.addEventListener('change', drawAll);
NARROW.addEventListener('change', drawAll);
window.addEventListener('beforeprint', () => print(true));
window.addEventListener('afterprint', () => print(false));
// For tests: what each chart shows.
window.hdbenchCharts = charts;

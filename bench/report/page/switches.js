// Drawing all charts, the switches that draw them again, themes and printing.

function drawAll() {
  document.querySelectorAll('canvas[data-chart]').forEach(drawLines);
  if (!model) return;
  model.charts.forEach(drawPaperChart);
  drawThreads();
  drawLimit();
  drawRoofline();
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

function mediaBoxes() {
  const group = element('fieldset', {}, element('legend', {textContent: 'Show'}));
  model.columns.forEach((_column, index) => {
    const input = element('input', {type: 'checkbox', name: 'medium', value: index, checked: true});
    input.addEventListener('change', () => {
      if (input.checked) state.hidden.delete(index); else state.hidden.add(index);
      drawAll();
    });
    group.append(element('label', {}, input, columnName(index)));
  });
  return group;
}

function makeSwitches() {
  if (!model) return;
  const form = document.getElementById('switches');
  form.addEventListener('submit', (event) => event.preventDefault());
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
  if (model.threads.length < 2) return;
  const select = element('select', {id: 'thread-group'});
  model.threads.forEach((group, index) =>
    select.append(element('option', {value: index, textContent: group.label})));
  select.addEventListener('change', () => {
    state.group = Number(select.value);
    drawThreads();
  });
  document.getElementById('thread-switches').append(
    element('label', {htmlFor: 'thread-group'}, 'Medium and axes ', select));
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
DARK.addEventListener('change', drawAll);
NARROW.addEventListener('change', drawAll);
window.addEventListener('beforeprint', () => print(true));
window.addEventListener('afterprint', () => print(false));
// For tests: what each chart shows.
window.hdbenchCharts = charts;

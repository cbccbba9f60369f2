// Which of several machines the page shows: boxes, whose state the address's fragment keeps as
// #SECTION&machines=1,3. A fragment without it shows all.

const MACHINES_KEY = 'machines=';

const fragmentParts = () => window.location.hash.slice(1).split('&');
const shownMachines = () => model.machines.map((_name, at) => at)
  .filter((at) => !state.machinesHidden.has(at));

// The section that the address names; empty: none.
const namedSection = () => fragmentParts().find((part) => part && !part.includes('=')) || '';

function writeFragment(section) {
  const chosen = state.machinesHidden.size
    ? [`${MACHINES_KEY}${shownMachines().map((at) => at + 1).join(',')}`] : [];
  const hash = `#${[section, ...chosen].filter(Boolean).join('&')}`;
  if (hash !== (window.location.hash || '#')) window.location.replace(hash);
}

// Numbers of no machine are left out; where none is left, all are shown.
function readFragment() {
  const part = fragmentParts().find((one) => one.startsWith(MACHINES_KEY));
  state.machinesHidden.clear();
  if (!part) return;
  const wanted = new Set(part.slice(MACHINES_KEY.length).split(',').map((text) => Number(text) - 1));
  model.machines.forEach((_name, at) => { if (!wanted.has(at)) state.machinesHidden.add(at); });
  if (state.machinesHidden.size === model.machines.length) state.machinesHidden.clear();
}

// Columns, lines and folds of tables, by what in them names a machine.
function hideInTables() {
  document.querySelectorAll('main [data-machine]').forEach((mark) => {
    const isAway = state.machinesHidden.has(Number(mark.dataset.machine));
    const cell = mark.closest('th, td');
    if (!cell) {
      mark.hidden = isAway;
    } else if (cell.closest('thead')) {
      for (const row of cell.closest('table').rows) {
        if (row.cells[cell.cellIndex]) row.cells[cell.cellIndex].hidden = isAway;
      }
    } else {
      cell.parentElement.hidden = isAway;
    }
  });
  document.querySelectorAll('.media label').forEach((label, index) => {
    label.hidden = !isOfShown(index);
  });
}

function showMachines() {
  document.querySelectorAll('#machine-switches input').forEach((input, at) => {
    input.checked = !state.machinesHidden.has(at);
  });
  hideInTables();
  drawAll();
}

function makeMachineBoxes() {
  const form = document.getElementById('machine-switches');
  if (!model || !form) return;
  form.addEventListener('submit', (event) => event.preventDefault());
  const group = element('fieldset', {}, element('legend',
    {textContent: 'Shown in tables and charts (sentences are of all machines)'}));
  model.machines.forEach((name, at) => {
    const input = element('input', {type: 'checkbox', name: 'machine', value: at, checked: true});
    input.addEventListener('change', () => {
      if (input.checked) state.machinesHidden.delete(at); else state.machinesHidden.add(at);
      // One is always shown.
      if (state.machinesHidden.size === model.machines.length) state.machinesHidden.delete(at);
      writeFragment(namedSection());
      showMachines();
    });
    group.append(element('label', {}, input, `Machine ${at + 1}: ${name}`));
  });
  form.append(group);
  // The choice stays in the address when a section is gone to.
  document.querySelectorAll('nav a').forEach((link) => link.addEventListener('click', (event) => {
    if (!state.machinesHidden.size) return;
    event.preventDefault();
    writeFragment(link.hash.slice(1));
    document.querySelector(link.hash).scrollIntoView();
  }));
  window.addEventListener('hashchange', () => {
    readFragment();
    showMachines();
  });
  readFragment();
  if (state.machinesHidden.size) {
    showMachines();
    const section = document.getElementById(namedSection());
    if (section) section.scrollIntoView();
  }
}

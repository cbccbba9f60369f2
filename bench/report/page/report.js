// Draws the charts from the model that the page carries, and their switches. Every figure was
// worked out beforehand: nothing is computed here but positions.
'use strict';

(() => {
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

  const state = {log: model.log, threads: null, hidden: new Set(), group: 0, printing: false};
  const charts = new Map();

  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  // ---- looks ----

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

  // ---- plugins ----

  // Whiskers: the interval of each point that has one.
  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const pen = chart.ctx;
      const across = chart.options.indexAxis === 'y';
      pen.save();
      pen.strokeStyle = css('--text');
      pen.lineWidth = 1;
      chart.data.datasets.forEach((dataset, at) => {
        if (!dataset.ranges || !chart.isDatasetVisible(at)) return;
        const scale = chart.scales[across ? 'x' : 'y'];
        chart.getDatasetMeta(at).data.forEach((point, index) => {
          const range = dataset.ranges[index];
          if (!range) return;
          const [low, high] = range.map((value) => scale.getPixelForValue(value));
          const middle = across ? point.y : point.x;
          pen.beginPath();
          if (across) {
            pen.moveTo(low, middle); pen.lineTo(high, middle);
            for (const end of [low, high]) { pen.moveTo(end, middle - 2); pen.lineTo(end, middle + 2); }
          } else {
            pen.moveTo(middle, low); pen.lineTo(middle, high);
            for (const end of [low, high]) { pen.moveTo(middle - 2, end); pen.lineTo(middle + 2, end); }
          }
          pen.stroke();
        });
      });
      pen.restore();
    },
  };

  // What the bars alone do not say: 0N, and a figure above the ceiling.
  const marks = {
    id: 'marks',
    afterDatasetsDraw(chart) {
      const pen = chart.ctx;
      const across = chart.options.indexAxis === 'y';
      const {left, bottom} = chart.chartArea;
      pen.save();
      pen.fillStyle = css('--flag');
      pen.font = '700 10px system-ui, sans-serif';
      chart.data.datasets.forEach((dataset, at) => {
        if (!dataset.marks || !chart.isDatasetVisible(at)) return;
        chart.getDatasetMeta(at).data.forEach((point, index) => {
          const mark = dataset.marks[index];
          if (!mark) return;
          const isNull = mark === '0N';
          if (across) {
            pen.textAlign = 'left';
            pen.textBaseline = 'middle';
            pen.fillText(mark, isNull ? left + 3 : point.x + 6, point.y);
          } else {
            pen.textAlign = 'center';
            pen.textBaseline = 'bottom';
            pen.fillText(mark, point.x, isNull ? bottom - 2 : point.y - 3);
          }
        });
      });
      pen.restore();
    },
  };

  // On its own ground, so that it can be read over points.
  function nameRule(pen, text, from, at) {
    const width = pen.measureText(text).width;
    pen.save();
    pen.globalAlpha = 0.85;
    pen.fillStyle = css('--page');
    pen.fillRect(from - 3, pen.textBaseline === 'top' ? at - 1 : at - 13, width + 6, 14);
    pen.restore();
    pen.fillText(text, from, at);
  }

  // Dashed lines across a chart, each with its name at the left end.
  const rules = {
    id: 'rules',
    afterDatasetsDraw(chart, _arguments, options) {
      const pen = chart.ctx;
      const {left, right, top, bottom} = chart.chartArea;
      const across = chart.options.indexAxis === 'y';
      const scale = chart.scales[across ? 'x' : 'y'];
      pen.save();
      pen.strokeStyle = css('--text');
      pen.fillStyle = css('--text');
      pen.font = '600 11px system-ui, sans-serif';
      pen.setLineDash([6, 4]);
      let last = -Infinity;
      for (const rule of [...(options.lines || [])].sort((a, b) => b.value - a.value)) {
        const at = scale.getPixelForValue(rule.value);
        pen.beginPath();
        if (across) {
          if (at < left || at > right) continue;
          pen.moveTo(at, top); pen.lineTo(at, bottom);
          pen.textAlign = at > (left + right) / 2 ? 'right' : 'left';
          pen.textBaseline = 'bottom';
          pen.fillText(rule.label, at, top - 2);
        } else {
          if (at < top || at > bottom) continue;
          pen.moveTo(left, at); pen.lineTo(right, at);
          // Lines that lie close have their names on either side.
          const below = at - last < 14;
          pen.textAlign = 'left';
          pen.textBaseline = below ? 'top' : 'bottom';
          nameRule(pen, rule.label, left + 4, below ? at + 3 : at - 3);
          last = at;
        }
        pen.stroke();
      }
      pen.restore();
    },
  };

  Chart.register(whiskers, marks, rules);

  // ---- scales ----

  const figure = (value) => value.toLocaleString('en', {maximumSignificantDigits: 6});

  function valueScale(title, log, least) {
    return {
      type: log ? 'logarithmic' : 'linear',
      min: log ? least : undefined,
      beginAtZero: !log,
      title: {display: true, text: title, color: css('--soft')},
      grid: {color: css('--line'), borderColor: css('--line')},
      ticks: {
        color: css('--soft'),
        callback: log ? (value) => {
          const digits = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
          return [1, 2, 5].includes(digits) ? figure(value) : null;
        } : (value) => figure(value),
      },
    };
  }

  function labelScale() {
    return {
      grid: {display: false, borderColor: css('--line')},
      ticks: {color: css('--text'), autoSkip: false, maxRotation: 60},
    };
  }

  // A power of ten below the least value, so that every bar has a length.
  function floorOf(values) {
    const least = Math.min(...values.filter((value) => value > 0));
    if (!Number.isFinite(least)) return undefined;
    const power = 10 ** Math.floor(Math.log10(least));
    return least / power < 1.5 ? power / 2 : power;
  }

  function baseOptions() {
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: {mode: 'nearest', intersect: true},
      plugins: {
        legend: {display: false},
        tooltip: {
          backgroundColor: css('--text'),
          titleColor: css('--page'),
          bodyColor: css('--page'),
          displayColors: false,
          bodyFont: {size: 12},
          caretPadding: 6,
        },
      },
    };
  }

  function put(id, config) {
    const known = charts.get(id);
    if (known) known.destroy();
    const canvas = document.getElementById(id);
    if (canvas) charts.set(id, new Chart(canvas, config));
  }

  function wrapped(lines, width) {
    return lines.flatMap((line) => {
      const out = [''];
      for (const word of line.split(' ')) {
        const last = out[out.length - 1];
        if (last && last.length + word.length >= width) out.push('   ' + word);
        else out[out.length - 1] = last ? last + ' ' + word : word;
      }
      return out;
    });
  }

  const textWidth = () => (NARROW.matches ? 38 : 64);

  // ---- the ten charts ----

  function threadCounts() {
    const counts = new Set(model.charts.flatMap((chart) => Object.keys(chart.bars).map(Number)));
    return [...counts].sort((a, b) => a - b);
  }

  // A chart that lacks the count shows the most that it has.
  function barsOf(chart) {
    const own = Object.keys(chart.bars).map(Number);
    const count = own.includes(state.threads) ? state.threads : Math.max(...own);
    return {count, series: chart.bars[count]};
  }

  function paperDatasets(chart) {
    const {series} = barsOf(chart);
    return chart.columns.map((column, at) => {
      const bars = series[at];
      return {
        label: columnName(column, chart.notes[at]),
        column,
        bars,
        data: bars.map((bar) => (bar ? bar.ms : null)),
        ranges: bars.map((bar) => bar && bar.range),
        marks: bars.map((bar) => {
          if (!bar) return '';
          if (bar.ms === null) return '0N';
          return bar.above ? '!' : '';
        }),
        backgroundColor: columnFill(column),
        borderColor: columnColour(column),
        borderWidth: 1,
        minBarLength: 1,
        hidden: state.hidden.has(column),
      };
    });
  }

  function drawPaperChart(chart) {
    const datasets = paperDatasets(chart);
    const shown = datasets.filter((dataset) => !dataset.hidden);
    const across = NARROW.matches && !state.printing;
    const values = shown.flatMap((dataset) => [
      ...dataset.data, ...dataset.ranges.filter(Boolean).map((range) => range[0])])
      .filter((value) => value !== null);
    const options = baseOptions();
    options.indexAxis = across ? 'y' : 'x';
    options.datasets = {bar: {categoryPercentage: 0.84, barPercentage: 0.94}};
    const {count} = barsOf(chart);
    const unit = `ms, ${count} thread${count === 1 ? '' : 's'}${state.log ? ', log scale' : ''}`;
    const value = valueScale(unit, state.log, floorOf(values));
    options.scales = across ? {x: value, y: labelScale()} : {x: labelScale(), y: value};
    options.plugins.tooltip.callbacks = {
      title: (items) => wrapped([`${items[0].label}, ${items[0].dataset.label}`], textWidth() - 6),
      label: (item) => wrapped(item.dataset.bars[item.dataIndex].lines, textWidth()),
    };
    const plot = document.getElementById(chart.id).parentElement;
    const rows = chart.queries.length * (shown.length + 1);
    plot.style.height = across ? `${Math.max(220, 70 + 11 * rows)}px` : '';
    put(chart.id, {type: 'bar', data: {labels: chart.queries, datasets}, options});
    drawLegend(chart.id, shown.map((dataset) => ({
      name: dataset.label, fill: dataset.backgroundColor, border: dataset.borderColor})));
  }

  // ---- threads ----

  function drawThreads() {
    if (!model.threads.length) return;
    const group = model.threads[state.group];
    const most = group.threads[group.threads.length - 1];
    const least = Math.min(...group.threads.slice(1).map((count, at) => count - group.threads[at]));
    const beside = (at) => (at / Math.max(1, group.lines.length - 1) - 0.5) * 0.3 * least;
    const datasets = group.lines.map((line, at) => {
      const colour = LINE_COLOURS[at % LINE_COLOURS.length];
      return {
        label: line.query,
        points: line.points,
        // Side by side at each count, so that their whiskers can be told apart.
        data: line.points.map((point, place) => (point
          ? {x: group.threads[place] + beside(at), y: point.x, threads: group.threads[place]} : null))
          .filter(Boolean),
        borderColor: colour,
        backgroundColor: colour,
        borderWidth: 2,
        borderDash: DASHES[Math.floor(at / LINE_COLOURS.length) % DASHES.length],
        pointStyle: POINT_STYLES[at % POINT_STYLES.length],
        pointRadius: 5,
        ranges: line.points.map((point, place) => (point ? place > 0 && point.range : null))
          .filter((range) => range !== null),
        lines: line.points.filter(Boolean).map((point) => point.line),
      };
    });
    const ideal = group.threads.map((threads) => ({x: threads, y: threads / group.threads[0]}));
    datasets.push({
      label: 'as many times as threads', data: ideal, borderColor: css('--soft'),
      borderDash: [4, 4], borderWidth: 1, pointRadius: 0, lines: [],
    });
    const options = baseOptions();
    options.scales = {
      x: {
        type: 'linear', min: group.threads[0] - 0.25 * least, max: most + 0.25 * least,
        title: {display: true, text: 'threads', color: css('--soft')},
        grid: {color: css('--line'), borderColor: css('--line')},
        ticks: {color: css('--text'), precision: 0},
        afterBuildTicks: (axis) => {
          axis.ticks = group.threads.map((value) => ({value}));
        },
      },
      y: valueScale('times as fast', false),
    };
    options.scales.y.beginAtZero = true;
    options.plugins.tooltip.callbacks = {
      title: (items) => `${items[0].dataset.label}, ${items[0].raw.threads || items[0].parsed.x} threads`,
      label: (item) => wrapped([item.dataset.lines[item.dataIndex] || 'ideal'], textWidth()),
    };
    put('chart-threads', {type: 'line', data: {datasets}, options});
    drawLegend('chart-threads', datasets.map((dataset) => ({name: dataset.label, line: dataset})));
  }

  // ---- limit ----

  function drawLimit() {
    const {series, limits, queries} = model.limit;
    if (!series.length) return;
    const across = NARROW.matches && !state.printing;
    const datasets = series.map((one) => {
      let colour = one.layout === 'flat' ? '#56b4e9' : '#0072b2';
      if (one.mode === '3.6') colour = one.layout === 'flat' ? '#e69f00' : '#a86400';
      return {label: one.label, data: one.peaks, backgroundColor: colour, minBarLength: 1};
    });
    const options = baseOptions();
    options.indexAxis = across ? 'y' : 'x';
    const values = [...series.flatMap((one) => one.peaks), ...limits].filter((value) => value);
    // Below a hundredth of a MiB no limit is set.
    const value = valueScale(`peak workspace, MiB${state.log ? ', log scale' : ''}`, state.log,
      Math.max(0.01, floorOf(values) || 0));
    if (limits.length) value.suggestedMax = 1.1 * Math.max(...limits);
    options.scales = across ? {x: value, y: labelScale()} : {x: labelScale(), y: value};
    if (across) options.layout = {padding: {top: 16}};
    options.plugins.rules = {
      lines: limits.map((limit) => ({value: limit, label: `-w ${limit} MiB`}))};
    options.plugins.tooltip.callbacks = {
      label: (item) => `${item.dataset.label}: ${figure(item.raw)} MiB`};
    const plot = document.getElementById('chart-limit').parentElement;
    plot.style.height = across ? `${90 + 11 * queries.length * (series.length + 1)}px` : '';
    put('chart-limit', {type: 'bar', data: {labels: queries, datasets}, options});
    drawLegend('chart-limit', datasets.map((dataset) => ({
      name: dataset.label, fill: dataset.backgroundColor, border: dataset.backgroundColor})));
  }

  // ---- roofline ----

  const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

  function bytesTick(value) {
    const power = Math.floor(Math.log10(value) + 1e-9);
    if (Math.round(value / 10 ** power) !== 1) return null;
    const unit = Math.min(UNITS.length - 1, Math.floor(power / 3));
    return `${figure(value / 1000 ** unit)} ${UNITS[unit]}`;
  }

  function drawRoofline() {
    const {points, ceilings} = model.roofline;
    if (!points.length) return;
    const columns = [...new Set(points.map((point) => point.column))]
      .filter((column) => !state.hidden.has(column));
    const datasets = columns.map((column) => {
      const own = points.filter((point) => point.column === column);
      return {
        label: columnName(column),
        column,
        own,
        data: own.map((point) => ({x: point.bytes, y: point.gb_s})),
        backgroundColor: model.columns[column].emulation ? css('--page') : columnColour(column),
        borderColor: own.map((point) => (point.above ? css('--flag') : columnColour(column))),
        borderWidth: own.map((point) => (point.above ? 4 : 2)),
        pointStyle: model.columns[column].layout === 'flat' ? 'rectRot' : 'circle',
        pointRadius: 6,
        hoverRadius: 8,
      };
    });
    const options = baseOptions();
    const x = valueScale('bytes read and written', true);
    x.ticks.callback = bytesTick;
    const y = valueScale('GB/s', true, floorOf(points.map((point) => point.gb_s)));
    if (ceilings.length) y.suggestedMax = 1.3 * Math.max(...ceilings.map((one) => one.gb_s));
    options.scales = {x, y};
    options.plugins.rules = {lines: ceilings.map((one) => ({
      value: one.gb_s, label: `${one.label}: ${one.gb_s.toFixed(1)} GB/s`}))};
    options.plugins.tooltip.callbacks = {
      title: (items) => wrapped(items.slice(0, 1).map((item) =>
        `${item.dataset.own[item.dataIndex].query}, ${item.dataset.label}`), textWidth() - 6),
      label: (item) => wrapped(item.dataset.own[item.dataIndex].lines, textWidth()),
    };
    put('chart-roofline', {type: 'scatter', data: {datasets}, options});
    drawLegend('chart-roofline', datasets.map((dataset) => ({
      name: dataset.label + (dataset.pointStyle === 'rectRot' ? ' \u25c7' : ' \u25cb'),
      fill: columnFill(dataset.column), border: columnColour(dataset.column)})));
  }

  function drawAll() {
    model.charts.forEach(drawPaperChart);
    drawThreads();
    drawLimit();
    drawRoofline();
  }

  // ---- switches ----

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
})();

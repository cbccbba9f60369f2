// One function a chart.

// ---- times by query ----

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
      borderWidth: 1.5,
      minBarLength: 1,
      hidden: isHidden(column),
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
  value.suggestedMax = Math.max(0, ...shown.flatMap((dataset) =>
    dataset.ranges.filter(Boolean).map((range) => range[1])));
  options.scales = across ? {x: value, y: labelScale()} : {x: labelScale(), y: value};
  options.plugins.tooltip.callbacks = {
    title: (items) => wrapped([`${items[0].label}, ${items[0].dataset.label}`], textWidth() - 6),
    label: (item) => wrapped(item.dataset.bars[item.dataIndex].lines, textWidth()),
  };
  const plot = document.getElementById(chart.id).parentElement;
  const rows = chart.queries.length * (shown.length + 1);
  plot.style.height = across ? `${Math.max(220, 70 + 11 * rows)}px` : '';
  put(chart.id, {type: 'bar', data: {labels: chart.queries, datasets}, options});
}

// One chart at a time, which a selector picks; the study's ten side by side where there is room.
function chooseChart() {
  const box = document.querySelector('.charts');
  const isWhole = state.printing || (box.classList.contains('ten') && !NARROW.matches);
  box.classList.toggle('single', !isWhole);
  document.getElementById('chart-choice').parentElement.hidden =
    isWhole || box.children.length < 2;
  [...box.children].forEach((one, at) => one.classList.toggle('chosen', at === state.chart));
}

// ---- limit ----

function drawLimit() {
  const {series, limits, queries} = model.limit;
  if (!series.length) return;
  const across = NARROW.matches && !state.printing;
  const datasets = series.map((one) => {
    let colour = one.layout === 'flat' ? '#3f9bd1' : '#0072b2';
    if (one.mode === '3.6') colour = one.layout === 'flat' ? '#c98a00' : '#a86400';
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
  plot.style.height = across ? `${90 + 8 * queries.length * (series.length + 1)}px` : '';
  put('chart-limit', {type: 'bar', data: {labels: queries, datasets}, options});
  drawLegend('chart-limit', datasets.map((dataset) => ({
    name: dataset.label, fill: dataset.backgroundColor, border: dataset.backgroundColor})));
}

// ---- roofline ----

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function bytesTick(value) {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const digits = value / 10 ** power;
  if (![1, 3].some((digit) => Math.abs(digits - digit) < 1e-6)) return null;
  const unit = Math.min(UNITS.length - 1, Math.floor(power / 3));
  return `${figure(value / 1000 ** unit)} ${UNITS[unit]}`;
}

function drawRoofline() {
  const {points, ceilings} = model.roofline;
  if (!points.length) return;
  const columns = [...new Set(points.map((point) => point.column))]
    .filter((column) => !isHidden(column));
  const datasets = columns.map((column) => {
    const own = points.filter((point) => point.column === column);
    return {
      label: columnName(column),
      column,
      own,
      data: own.map((point) => ({x: point.bytes, y: point.gb_s})),
      ...pointLook(column),
      borderColor: own.map((point) => (point.above ? css('--flag') : columnColour(column))),
      borderWidth: own.map((point) => (point.above ? 4 : 2)),
      pointRadius: 6,
      hoverRadius: 8,
    };
  });
  const options = baseOptions();
  const x = valueScale('bytes read and written', true);
  x.ticks.callback = bytesTick;
  const y = valueScale('GB/s', true);
  // No decade without a point or a ceiling.
  [x.min, x.max] = around(points.map((point) => point.bytes));
  [y.min, y.max] = around([...points, ...ceilings].map((point) => point.gb_s));
  options.scales = {x, y};
  // A phone has no room for the thread count, which stands above the chart.
  const named = (one) => (NARROW.matches ? one.label.replace(/, \d+ threads?$/, '') : one.label);
  options.plugins.rules = {lines: ceilings.map((one) => ({
    value: one.gb_s, label: `${named(one)}: ${one.gb_s.toFixed(1)} GB/s`}))};
  options.plugins.tooltip.callbacks = {
    title: (items) => wrapped(items.slice(0, 1).map((item) =>
      `${item.dataset.own[item.dataIndex].query}, ${item.dataset.label}`), textWidth() - 6),
    label: (item) => wrapped(item.dataset.own[item.dataIndex].lines, textWidth()),
  };
  put('chart-roofline', {type: 'scatter', data: {datasets}, options});
}

// ---- several users: latency over throughput ----

function drawUsers() {
  const lines = model.users;
  if (!lines.length) return;
  const datasets = lines.flatMap((line, at) => ['p50', 'p99'].map((part) => ({
    ...lineLook(at),
    borderDash: part === 'p99' ? [6, 4] : [],
    label: `${line.label}: ${part}`,
    own: line.points.filter((point) => point[part] !== null),
    data: line.points.filter((point) => point[part] !== null)
      .map((point) => ({x: point.per_s, y: point[part]})),
    showLine: true,
    fill: false,
  })));
  const options = baseOptions();
  const values = datasets.flatMap((dataset) => dataset.data);
  const x = valueScale('answers a second', true);
  const y = valueScale('ms, log scale', true);
  [x.min, x.max] = around(values.map((point) => point.x));
  [y.min, y.max] = around(values.map((point) => point.y));
  options.scales = {x, y};
  options.plugins.tooltip.callbacks = {
    title: (items) => wrapped(items.slice(0, 1).map((item) => item.dataset.label), textWidth() - 6),
    label: (item) => wrapped(item.dataset.own[item.dataIndex].lines, textWidth()),
  };
  put('chart-users', {type: 'scatter', data: {datasets}, options});
  drawLegend('chart-users', datasets.map((dataset) => ({name: dataset.label, line: dataset})));
}

// ---- storage: lines that the canvas carries itself ----

function lineLook(at) {
  const colour = LINE_COLOURS[at % LINE_COLOURS.length];
  return {
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 2,
    borderDash: DASHES[Math.floor(at / LINE_COLOURS.length) % DASHES.length],
    pointStyle: POINT_STYLES[at % POINT_STYLES.length],
    pointRadius: 5,
  };
}

function drawLines(canvas, {unit, places, lines}) {
  const datasets = lines.map((line, at) => (
    {...lineLook(at), label: line.label, data: line.values}));
  const options = baseOptions();
  const values = lines.flatMap((line) => line.values).filter((value) => value > 0);
  options.scales = {x: labelScale(), y: valueScale(`${unit}, log scale`, true, floorOf(values))};
  options.plugins.tooltip.callbacks = {
    label: (item) => wrapped([`${item.dataset.label}: ${figure(item.raw)} ${unit}`], textWidth())};
  put(canvas.id, {type: 'line', data: {labels: places, datasets}, options});
  drawLegend(canvas.id, datasets.map((dataset) => ({name: dataset.label, line: dataset})));
}

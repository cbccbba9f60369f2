// What each tier costs: the page's first chart, and what threads give, in small panels.

// ---- tiers ----

// A tier's name in lines that fit beside a chart of this width.
const labelLines = (text, width) => fitted(text, Math.min(220, 0.4 * width));

function tierPoints() {
  const {tiers} = model.tiers;
  const rows = tiers.filter((tier) => tier.x !== null && isOfShown(tier.column));
  const dots = {
    data: [], lines: [], backgroundColor: [], borderColor: [], borderWidth: 1, pointRadius: 3,
    hoverRadius: 5, order: 2,
  };
  const means = {
    data: [], lines: [], ranges: [], backgroundColor: [], borderColor: [], pointStyle: [],
    borderWidth: 3, pointRadius: 8, hoverRadius: 10, order: 1, bold: true,
  };
  rows.forEach((tier, row) => {
    const colour = columnColour(tier.column);
    const isEmulated = Boolean(model.columns[tier.column].emulation);
    for (const query of tier.queries) {
      dots.data.push({x: query.x, y: row});
      dots.lines.push(`${query.query}: ${figure(query.x)} times`);
      dots.backgroundColor.push(isEmulated ? 'transparent' : faded(colour, 0.35));
      dots.borderColor.push(faded(colour, 0.6));
    }
    means.data.push({x: tier.x, y: row});
    means.lines.push(`${tier.queries.length} queries: ${tier.line}`);
    means.ranges.push(tier.range);
    means.backgroundColor.push(isEmulated ? css('--page') : colour);
    means.borderColor.push(colour);
    means.pointStyle.push('circle');
  });
  return {rows, dots, means};
}

function drawTiers() {
  if (!document.getElementById('chart-tiers')) return;
  const {rows, dots, means} = tierPoints();
  const options = baseOptions();
  options.indexAxis = 'y';
  const values = [1, ...dots.data.map((point) => point.x),
    ...means.ranges.filter(Boolean).flat(), ...means.data.map((point) => point.x)];
  const plot = document.getElementById('chart-tiers').parentElement;
  const x = valueScale(fitted(`times as long as ${model.tiers.base}`, 0.55 * plot.clientWidth),
    true);
  x.min = Math.min(...values) / 1.25;
  x.max = Math.max(...values) * 1.25;
  x.ticks.maxRotation = 0;
  const y = {
    type: 'linear', min: -0.6, max: rows.length - 0.4, reverse: true,
    grid: {color: css('--line'), borderColor: css('--line'), drawOnChartArea: false},
    ticks: {color: css('--text'), autoSkip: false, 
      callback(at) { return labelLines(rows[at].name, this.chart.width); }},
    afterBuildTicks: (axis) => { axis.ticks = rows.map((_row, value) => ({value})); },
  };
  options.scales = {x, y};
  options.layout = {padding: {top: 18}};
  options.plugins.rules = {lines: [{value: 1, label: model.tiers.base}]};
  options.plugins.tooltip.callbacks = {
    title: (items) => wrapped([rows[items[0].parsed.y].name], textWidth()),
    label: (item) => wrapped([item.dataset.lines[item.dataIndex]], textWidth()),
  };
  const most = Math.max(...rows.map((row) => labelLines(row.name, plot.clientWidth).length));
  plot.style.height = `${88 + Math.max(52, 10 + 15 * most) * Math.max(2, rows.length)}px`;
  put('chart-tiers', {type: 'scatter', data: {datasets: [means, dots]}, options});
}

// ---- threads ----

const PANELS_AT_ONCE = NARROW.matches ? 2 : 12;

// A canvas a query of the setting; those beyond a dozen, or a phone's two, are folded.
function makePanels(setting) {
  const names = [...new Set(setting.series.flatMap((one) => one.lines.map((line) => line.query)))];
  const panels = names.map((name, at) => element('div', {className: 'panel'},
    element('h4', {textContent: name}),
    element('div', {className: 'plot'}, element('canvas', {id: `threads-${at}`}))));
  panels.forEach((panel, at) => {
    const canvas = panel.querySelector('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label',
      `${names[at]} by thread count. The same figures are in the table below.`);
  });
  const box = document.getElementById('panels');
  box.replaceChildren(...panels.slice(0, PANELS_AT_ONCE));
  if (panels.length > PANELS_AT_ONCE) {
    const more = element('details', {className: 'more'}, element('summary', {
      textContent: `The other ${panels.length - PANELS_AT_ONCE} queries`}),
    element('div', {className: 'panels'}, ...panels.slice(PANELS_AT_ONCE)));
    more.addEventListener('toggle', () => drawThreads());
    box.append(more);
  }
  return names;
}

// A medium's figures, and the law that is fitted to them.
function panelDatasets(setting, name) {
  return setting.series.filter((one) => !isHidden(one.column)).flatMap((one) => {
    const line = one.lines.find((own) => own.query === name);
    const points = (line ? line.points : []).map((point, at) => ({point, threads: one.threads[at]}))
      .filter(({point}) => point);
    const value = (x, threads) => (state.efficiency ? 100 * x * one.threads[0] / threads : x);
    const figures = {
      ...pointLook(one.column),
      label: columnName(one.column),
      borderDash: columnDash(one.column),
      whiskerColor: columnColour(one.column),
      pointRadius: 4,
      data: points.map(({point, threads}) => ({x: threads, y: value(point.x, threads)})),
      ranges: points.map(({point, threads}, at) => (at > 0 && point.range
        ? point.range.map((end) => value(end, threads)) : null)),
      lines: points.map(({point}) => point.line),
    };
    if (!line || !line.law) return [figures];
    return [figures, {
      label: `law of ${figures.label}`,
      data: line.law.map(([threads, x]) => ({x: threads, y: value(x, threads)})),
      borderColor: columnColour(one.column), borderDash: [1, 3], borderWidth: 2, pointRadius: 0,
      order: 1, lines: [],
    }];
  });
}

// Counts far enough apart to be read.
function readableCounts(counts) {
  const apart = (counts[counts.length - 1] - counts[0]) / 7;
  const kept = [];
  for (const count of [...counts].reverse()) {
    if (!kept.length || kept[0] - count >= apart) kept.unshift(count);
  }
  kept[0] = counts[0];
  return kept;
}

function drawPanel(setting, name, at, most) {
  const counts = [...new Set(setting.series.flatMap((one) => one.threads))].sort((a, b) => a - b);
  const datasets = panelDatasets(setting, name);
  const ideal = counts.map((x) => ({x, y: state.efficiency ? 100 : x / counts[0]}));
  datasets.push({label: 'ideal', data: ideal, borderColor: css('--soft'), borderDash: [4, 4],
    borderWidth: 1, pointRadius: 0, lines: []});
  const options = baseOptions();
  const room = 0.04 * (counts[counts.length - 1] - counts[0]);
  options.scales = {
    x: {
      type: 'linear', min: counts[0] - room, max: counts[counts.length - 1] + room,
      title: {display: true, text: 'threads', color: css('--soft'), padding: 0},
      grid: {color: css('--line'), borderColor: css('--line')},
      ticks: {color: css('--text'), autoSkip: false, maxRotation: 0},
      afterBuildTicks: (axis) => {
        axis.ticks = readableCounts(counts).map((value) => ({value}));
      },
    },
    y: valueScale(state.efficiency ? 'efficiency, %' : 'times as fast', false),
  };
  options.scales.y.suggestedMax = most;
  options.plugins.tooltip.callbacks = {
    title: (items) => wrapped([`${items[0].dataset.label}, ${items[0].parsed.x} threads`], 38),
    label: (item) => wrapped([item.dataset.lines[item.dataIndex] || 'ideal'], 38),
  };
  put(`threads-${at}`, {type: 'line', data: {datasets}, options});
}

function drawThreads() {
  if (!model.threads.length) return;
  const setting = model.threads[state.setting];
  const isMade = document.getElementById('panels').dataset.setting === String(state.setting);
  if (!isMade) {
    for (const id of [...charts.keys()].filter((key) => key.startsWith('threads-'))) {
      charts.get(id).destroy();
      charts.delete(id);
    }
    state.queries = makePanels(setting);
    document.getElementById('panels').dataset.setting = state.setting;
  }
  // The same height of axis in every panel, so that they can be compared.
  const height = (one, x, threads) => (
    x * (state.efficiency ? 100 * one.threads[0] / threads : 1));
  const all = setting.series.flatMap((one) => one.lines.flatMap((line) => [
    ...line.points.map((point, at) => (point ? height(one, point.x, one.threads[at]) : 0)),
    ...(line.law || []).map(([threads, x]) => height(one, x, threads))]));
  const most = Math.max(state.efficiency ? 110 : 0, ...all);
  state.queries.forEach((name, at) => drawPanel(setting, name, at, most));
}

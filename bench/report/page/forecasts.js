// Charts of advice, predictions and device profiles, whose canvases carry their data.

// Values that span more than this are drawn on a log scale.
const LOG_SPAN = 30;

function drawPoints(canvas, data) {
  const datasets = data.lines.map((line, at) => {
    const look = lineLook(at);
    if (line.colour !== undefined) {
      look.borderColor = LINE_COLOURS[line.colour % LINE_COLOURS.length];
      look.backgroundColor = look.borderColor;
      look.borderDash = DASHES[line.dash % DASHES.length];
      look.pointStyle = POINT_STYLES[line.colour % POINT_STYLES.length];
    }
    return {
      ...look,
      label: line.label,
      data: line.points.map(([x, y]) => ({x, y})),
      showLine: line.points.length > 1,
      fill: false,
      pointRadius: line.mark || 4,
      order: line.mark ? 0 : 1,
      clip: 8,  // a point on the edge is whole
    };
  });
  const options = baseOptions();
  const heights = data.lines.flatMap((line) => line.points.map((point) => point[1]));
  const isLog = Math.min(...heights) > 0 && Math.max(...heights) / Math.min(...heights) > LOG_SPAN;
  const x = valueScale(data.x, false);
  const y = valueScale(isLog ? `${data.y}, log scale` : data.y, isLog);
  if (isLog) [y.min, y.max] = around(heights);
  x.ticks.maxRotation = 0;
  x.max = data.x_most;
  options.scales = {x, y};
  options.plugins.rules = {lines: data.rules || []};
  options.plugins.tooltip.callbacks = {
    label: (item) => wrapped([`${item.dataset.label}: ${figure(item.parsed.y)} ${data.y} at `
      + `${figure(item.parsed.x)} ${data.x}`], textWidth())};
  put(canvas.id, {type: 'scatter', data: {datasets}, options});
  drawLegend(canvas.id, datasets.map((dataset) => ({name: dataset.label, line: dataset})));
}

// Bars that lie, each made of parts.
function drawStack(canvas, data) {
  const datasets = data.parts.map((part, at) => ({
    label: part.label,
    data: part.values,
    backgroundColor: LINE_COLOURS[at],
    borderWidth: 0,
    stack: 'all',
  }));
  const options = baseOptions();
  options.indexAxis = 'y';
  options.datasets = {bar: {categoryPercentage: 1, barPercentage: 0.84}};
  options.interaction = {mode: 'nearest', axis: 'y', intersect: false};
  const x = {...valueScale(data.unit, false), stacked: true};
  x.ticks.maxRotation = 0;
  const y = {...labelScale(), stacked: true};
  y.ticks.font = {size: 12};
  options.scales = {x, y};
  options.plugins.tooltip.mode = 'index';
  options.plugins.tooltip.callbacks = {
    title: (items) => items.slice(0, 1).map((item) => data.tips[item.dataIndex]),
    label: (item) => `${item.dataset.label}: ${figure(Number(item.raw.toPrecision(3)))} times`};
  canvas.parentElement.style.height = `${64 + 15 * data.labels.length}px`;
  put(canvas.id, {type: 'bar', data: {labels: data.labels, datasets}, options});
  drawLegend(canvas.id, datasets.map((dataset) => ({
    name: dataset.label, fill: dataset.backgroundColor, border: dataset.backgroundColor})));
}

// What a canvas carries: lines over named places where no kind is said.
function drawCarried(canvas) {
  const data = JSON.parse(canvas.dataset.chart);
  if (data.kind === 'points') drawPoints(canvas, data);
  else if (data.kind === 'stack') drawStack(canvas, data);
  else drawLines(canvas, data);
}

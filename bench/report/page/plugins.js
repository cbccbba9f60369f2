// What Chart.js draws besides: error bars, marks, rules.

// Whiskers: the interval of each point that has one.
function drawWhiskers(chart, isBold) {
  const pen = chart.ctx;
  const across = chart.options.indexAxis === 'y';
  pen.save();
  pen.lineWidth = isBold ? 3 : 1;
  const arm = isBold ? 5 : 2;
  // Within the axes, where an interval is longer than they are.
  const {left, top, width, height} = chart.chartArea;
  pen.beginPath();
  pen.rect(left - 6, top - 6, width + 12, height + 12);
  pen.clip();
  chart.data.datasets.forEach((dataset, at) => {
    if (!dataset.ranges || Boolean(dataset.bold) !== isBold || !chart.isDatasetVisible(at)) return;
    const scale = chart.scales[across ? 'x' : 'y'];
    pen.strokeStyle = dataset.whiskerColor || css('--text');
    chart.getDatasetMeta(at).data.forEach((point, index) => {
      const range = dataset.ranges[index];
      if (!range) return;
      if (isBold) pen.strokeStyle = dataset.borderColor[index];
      const [low, high] = range.map((value) => scale.getPixelForValue(value));
      const middle = across ? point.y : point.x;
      pen.beginPath();
      if (across) {
        pen.moveTo(low, middle); pen.lineTo(high, middle);
        for (const end of [low, high]) {
          pen.moveTo(end, middle - arm); pen.lineTo(end, middle + arm);
        }
      } else {
        pen.moveTo(middle, low); pen.lineTo(middle, high);
        for (const end of [low, high]) {
          pen.moveTo(middle - arm, end); pen.lineTo(middle + arm, end);
        }
      }
      pen.stroke();
    });
  });
  pen.restore();
}

// Bold ones lie below their points.
const whiskers = {
  id: 'whiskers',
  beforeDatasetsDraw: (chart) => drawWhiskers(chart, true),
  afterDatasetsDraw: (chart) => drawWhiskers(chart, false),
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
    pen.font = '700 12px system-ui, sans-serif';
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
    pen.font = '600 12px system-ui, sans-serif';
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

// Axes, the options that all charts share, and putting a chart in its place.

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
        const digits = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
        const isRound = [1, 2, 5].some((digit) => Math.abs(digits - digit) < 1e-6);
        return isRound ? figure(value) : null;
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

// The ends of a log scale that holds the values and little more.
function around(values) {
  const above = values.filter((value) => value > 0);
  return [Math.min(...above) / 1.5, 1.5 * Math.max(...above)];
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

// The text in lines of at most so many pixels of a chart's font: broken between words, a longer word
// behind its marks, and what has none anywhere.
const ruler = document.createElement('canvas').getContext('2d');
function fitted(text, width) {
  ruler.font = Chart.helpers.toFont(Chart.defaults.font).string;
  const isWide = (words) => ruler.measureText(words.trim()).width > width;
  const finer = (part, pattern) => (isWide(part) ? part.split(pattern) : [part]);
  const parts = text.split(/(?<= )/).flatMap((word) => finer(word, /(?<=[-+=:,/])/))
    .flatMap((part) => finer(part, ''));
  const lines = [''];
  for (const part of parts) {
    const last = lines.length - 1;
    if (lines[last] && isWide(lines[last] + part)) lines.push(part);
    else lines[last] += part;
  }
  return lines.map((line) => line.trim());
}

const textWidth = () => (NARROW.matches ? 38 : 64);

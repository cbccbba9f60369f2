"""The chart of growth.py: a panel for each variable, each line relative to its first point.

Both axes are logarithmic: what is linear rises as the dashed line does and what is constant lies
flat, whatever the unit.
"""

import math

COLOURS = {"query": "#1f6fd0", "memory": "#c2410c", "open": "#0d8a5f", "report": "#7c3aed"}
WORDS = {"query": "query time", "memory": "memory", "open": "opening", "report": "report"}
PANEL_WIDTH, PANEL_HEIGHT = 330, 250
LEFT, RIGHT, TOP, BOTTOM = 54, 74, 34, 42
ACROSS = 3
HEAD = 62
LABEL_HEIGHT = 14
STYLE = """
  .page { fill: #ffffff } text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 14px; font-weight: 600 } .quiet { fill: #59636e; font-size: 11px }
  .grid { stroke: #d8dee4; stroke-width: 1 } .axis { stroke: #8c959f; stroke-width: 1 }
  .one { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 4 4 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
"""


def log(value):
    return math.log10(max(value, 1e-9))


def power(exponent):
    """Such as 1, 1,000 or 1e6."""
    return f"{10 ** exponent:,}" if exponent < 4 else f"1e{exponent}"


class Panel:
    def __init__(self, name, series, left, top):
        self.name = name
        self.lines = [(one["kind"], [(log(n), log(value / max(one["points"][0][1], 1e-9)))
                                     for n, value in one["points"]]) for one in series]
        x = [x for _, points in self.lines for x, _ in points]
        y = [y for _, points in self.lines for _, y in points]
        self.x_least = min(x)
        self.x_first = math.floor(self.x_least)
        self.x_last = max(math.ceil(max(x)), self.x_first + 1)
        self.y_first = math.floor(min([0, *y]) + 0.05)
        self.y_last = max(math.ceil(max(y) - 0.05), 1)
        self.left, self.top = left + LEFT, top + TOP
        self.width = PANEL_WIDTH - LEFT - RIGHT
        self.height = PANEL_HEIGHT - TOP - BOTTOM

    def at(self, x, y):
        return (self.left + self.width * (x - self.x_first) / (self.x_last - self.x_first),
                self.top + self.height * (self.y_last - y) / (self.y_last - self.y_first))

    def axes(self):
        yield (f'<text class="title" x="{self.left}" y="{self.top - 14}">{self.name}</text>')
        for decade in range(self.y_first, self.y_last + 1):
            _, y = self.at(self.x_first, decade)
            yield (f'<path class="{"axis" if decade == 0 else "grid"}" '
                   f'd="M{self.left} {y:.1f}h{self.width}"/>')
            if (decade - self.y_first) % max(1, (self.y_last - self.y_first) // 4) == 0:
                words = power(decade) if decade >= 0 else f"{10.0 ** decade:g}"
                yield (f'<text class="quiet" text-anchor="end" x="{self.left - 6}" '
                       f'y="{y + 4:.1f}">×{words}</text>')
        step = max(1, math.ceil((self.x_last - self.x_first) / 4))
        for decade in range(self.x_first, self.x_last + 1, step):
            x, y = self.at(decade, self.y_first)
            yield (f'<text class="quiet" text-anchor="middle" x="{x:.1f}" y="{y + 17:.1f}">'
                   f'{power(decade)}</text>')
        end = min(self.x_last - self.x_least, self.y_last)
        (x, y), (x_end, y_end) = self.at(self.x_least, 0), self.at(self.x_least + end, end)
        yield f'<path class="one" d="M{x:.1f} {y:.1f}L{x_end:.1f} {y_end:.1f}"/>'

    def curves(self):
        labels = []
        for kind, points in self.lines:
            places = [self.at(*point) for point in points]
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
            yield f'<path class="line" stroke="{COLOURS[kind]}" d="M{path}"/>'
            for x, y in places:
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{COLOURS[kind]}"/>'
            labels.append([places[-1][1], places[-1][0], kind])
        labels.sort()
        for above, label in zip(labels, labels[1:]):
            label[0] = max(label[0], above[0] + LABEL_HEIGHT)
        over = max([0, *(label[0] - self.top - self.height - 4 for label in labels)])
        right = max([0, *(label[1] for label in labels)]) + 7
        for y, _, kind in labels:
            yield (f'<text x="{right:.1f}" y="{y - over + 4:.1f}" style="fill:{COLOURS[kind]}">'
                   f'{WORDS[kind]}</text>')


def drawn(found):
    """The SVG of {variable: series}, of each kind the one that is its main."""
    panels = [(name, [one for one in series if one["main"] and len(one["points"]) > 1])
              for name, series in found.items()]
    panels = [(name, series) for name, series in panels if series]
    width = ACROSS * PANEL_WIDTH + 10
    height = HEAD + math.ceil(len(panels) / ACROSS) * PANEL_HEIGHT + 6
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" role="img">',
             "<title>Growth of time and memory with the size of a database</title>",
             f"<style>{STYLE}</style>",
             f'<rect class="page" width="{width}" height="{height}" rx="6"/>',
             '<text class="title" x="16" y="26">Times the value at the smallest size</text>',
             '<text class="quiet" x="16" y="46">Dashed: linear. Flat: constant. Sizes of each '
             "variable along the bottom; everything else stays the same.</text>"]
    for index, (name, series) in enumerate(panels):
        panel = Panel(name, series, index % ACROSS * PANEL_WIDTH,
                      HEAD + index // ACROSS * PANEL_HEIGHT)
        parts += [*panel.axes(), *panel.curves()]
    return "\n".join([*parts, "</svg>"]) + "\n"

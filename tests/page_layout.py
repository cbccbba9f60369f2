"""Where the texts of a page lie in a browser: those that overlap others, and those that are cut."""

WIDTHS = (360, 768, 1280, 1920)

# Before the page's scripts: every canvas keeps the texts of its last drawing, each with the corners
# of its box in the canvas's pixels.
RECORD = """(() => {
  const pen = CanvasRenderingContext2D.prototype;
  const {fillText, clearRect} = pen;
  pen.clearRect = function (...box) {
    this.canvas.texts = [];
    return clearRect.apply(this, box);
  };
  pen.fillText = function (text, x, y, ...rest) {
    const size = this.measureText(text);
    const place = this.getTransform();
    const [left, right] = [x - size.actualBoundingBoxLeft, x + size.actualBoundingBoxRight];
    const [top, bottom] = [y - size.actualBoundingBoxAscent, y + size.actualBoundingBoxDescent];
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
      .map(([ownX, ownY]) => place.transformPoint({x: ownX, y: ownY}));
    (this.canvas.texts ||= []).push([text, corners.map((point) => [point.x, point.y])]);
    return fillText.call(this, text, x, y, ...rest);
  };
})()"""

# Of every visible canvas: [[id, width, height, [[text, corners]]]], in CSS pixels.
CANVAS_TEXTS = """() => [...document.querySelectorAll('canvas[id]')]
  .filter((canvas) => canvas.checkVisibility() && canvas.clientWidth > 0)
  .map((canvas) => {
    const scale = canvas.width / canvas.clientWidth;
    return [canvas.id, canvas.clientWidth, canvas.clientHeight, (canvas.texts || [])
      .filter(([text]) => text.trim())
      .map(([text, corners]) => [text, corners.map(([x, y]) => [x / scale, y / scale])])];
  })"""

# Of every line of visible text: [[text, node, left, top, right, bottom, isCut]]. What scrolls into
# view is not cut, unless it stays where it is, and ends where its box does. Texts for screen
# readers alone are left out.
TEXT_LINES = """() => {
  const found = [];
  // The part of the box that is seen, and whether the rest of it can never be.
  const seen = (element, {left, top, right, bottom}) => {
    let stays = false;
    for (let one = element; one; one = one.parentElement) {
      const {overflowX, overflowY, position} = getComputedStyle(one);
      const own = one.getBoundingClientRect();
      stays ||= position === 'sticky';
      if (overflowX === 'auto' || overflowX === 'scroll') {
        if (left < own.left - 1 || (stays && right > own.right + 1)) return {isCut: true};
        right = Math.min(right, own.right);
      }
      if (overflowX === 'hidden' || overflowX === 'clip') {
        if (left < own.left - 1 || right > own.right + 1) return {isCut: true};
      }
      if (overflowY === 'hidden' && bottom > own.bottom + 2) return {isCut: true};
    }
    const isCut = left < -1 || right > document.documentElement.clientWidth + 1;
    return {left, top, right, bottom, isCut};
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(), at = 0; node; node = walker.nextNode(), ++at) {
    const text = node.textContent.trim();
    const one = node.parentElement;
    if (!text || one.closest('script, style, noscript, option, .away, .skip')) continue;
    if (!one.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      const {left, top, right, bottom, isCut} = {...box.toJSON(), ...seen(one, box)};
      if (right > left) found.push([text.slice(0, 60), at, left, top, right, bottom, isCut]);
    }
  }
  return found;
}"""


def overlapping_lines(lines):
    """Pairs of texts, neither cut, whose boxes share more than the space between lines."""
    found, above = [], []
    for line in sorted((line for line in lines if not line[-1]), key=lambda line: line[3]):
        text, node, left, top, right, bottom, _ = line
        above = [other for other in above if other[5] > top + 3]
        found += [(other[0], text) for other in above
                  if other[1] != node and min(right, other[4]) - max(left, other[2]) > 1 and
                  min(bottom, other[5]) - top > 3]
        above.append(line)
    return found


def parts(one, other):
    """Whether a line along an edge of either parts two convex shapes, but for a pixel."""
    for shape in (one, other):
        for (x, y), (to_x, to_y) in zip(shape, shape[1:] + shape[:1]):
            length = max(1e-9, ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5)
            across, down = (to_y - y) / length, (x - to_x) / length
            spans = [[across * px + down * py for px, py in corners] for corners in (one, other)]
            if min(map(max, spans)) - max(map(min, spans)) < 1:
                return True
    return False


def canvas_faults(width, height, texts):
    """What is wrong with the texts of one canvas: cut at its edges, or one upon another."""
    found = [("cut", text) for text, corners in texts
             if any(not (-1 <= x <= width + 1 and -1 <= y <= height + 1) for x, y in corners)]
    for at, (text, corners) in enumerate(texts):
        found += [("overlap", text, other) for other, its in texts[:at] if not parts(corners, its)]
    return found

"""What tests measure of a page in a browser: contrast, sizes, and colours as colour-blind eyes see
them."""

import itertools

# Every visible text's colour and ground, and whether it is large: [[text, colour, ground, large]].
TEXTS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    const one = node.parentElement;
    if (!text || one.closest('script, style, noscript') || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    let ground = one;
    while (ground && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
      ground = ground.parentElement;
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    found.push([text.slice(0, 40), style.color,
      ground ? getComputedStyle(ground).backgroundColor : 'rgb(255, 255, 255)', isLarge, size]);
  }
  return found;
}"""

# What can be pressed and is not within a sentence: [[what, width, height]].
TARGETS = """() => [...document.querySelectorAll(
    'nav a, summary, select, button, label:has(input), pre[tabindex]')]
  .filter((one) => one.checkVisibility()).map((one) => {
    const box = one.getBoundingClientRect();
    return [one.tagName + ' ' + one.textContent.trim().slice(0, 30), box.width, box.height];
  })"""

# The width of every visible cell of text, in rem: [[text, width]].
TEXT_CELLS = """() => [...document.querySelectorAll('td.text, .verdict tbody th')]
  .filter((one) => one.checkVisibility()).map((one) => [one.textContent.trim().slice(0, 30),
    one.getBoundingClientRect().width / 16])"""

# A linear RGB colour as it is seen (G. M. Machado and others, "A Physiologically-based Model for
# Simulation of Color Vision Deficiency", 2009; severity 1).
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
}


def channels(colour):
    """Of "#rrggbb" or "rgb(r, g, b)", from 0 to 1."""
    if colour.startswith("#"):
        return [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [float(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]


def linear(colour):
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
            for value in channels(colour)]


def contrast(one, other):
    """As WCAG 2 defines it."""
    dark, light = sorted(sum(weight * value for weight, value in
                             zip((0.2126, 0.7152, 0.0722), linear(colour)))
                         for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    """CIE L*a*b*, of linear RGB in sRGB's primaries."""
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.95047, 1, 1.08883)
    x, y, z = (sum(map(lambda a, b: a * b, row, rgb)) / of for row, of in zip(rows, white))
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
               for value in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, sight):
    """Between two colours as this sight sees them, in units of CIE 1976."""
    seen = []
    for colour in (one, other):
        rgb = linear(colour)
        seen.append(lab([min(1, max(0, sum(a * b for a, b in zip(row, rgb))))
                         for row in SIGHTS[sight]]))
    return sum((a - b) ** 2 for a, b in zip(*seen)) ** 0.5


def least_distance(colours):
    """(distance, sight, colours) of the two that are nearest to any sight."""
    return min((distance(one, other, sight), sight, one, other)
               for sight in SIGHTS for one, other in itertools.combinations(colours, 2))

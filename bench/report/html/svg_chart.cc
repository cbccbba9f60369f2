#include "bench/report/html/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/report/html/html_text.h"

namespace hdbench {
namespace {

constexpr double kWidth = 640;
constexpr double kPlotHeight = 250;
constexpr double kLeft = 70;
constexpr double kRight = 14;
constexpr double kTop = 22;
constexpr double kBelow = 30;
constexpr double kLegendLine = 18;

struct Style {
  const char* colour;
  const char* dash;
};

// Readable on light and on dark.
constexpr std::array<Style, 8> kStyles{{{"#2f7fd0", ""},
                                        {"#d0651a", "7 4"},
                                        {"#2a9d6a", "2 3"},
                                        {"#a05bc4", "10 3 2 3"},
                                        {"#c33d5b", "5 2"},
                                        {"#8a8a2a", "1 2"},
                                        {"#1a93a0", "9 5"},
                                        {"#808080", "3 6"}}};

struct Range {
  double low = 0;
  double high = 0;
};

// Whole powers of ten.
std::optional<Range> range_of(const std::vector<SvgLine>& lines) {
  std::optional<Range> range;
  for (const SvgLine& line : lines) {
    for (const auto& value : line.values) {
      if (!value || !(*value > 0)) continue;
      if (!range) range = Range{*value, *value};
      range->low = std::min(range->low, *value);
      range->high = std::max(range->high, *value);
    }
  }
  if (!range) return range;
  range->low = std::floor(std::log10(range->low));
  range->high = std::max(range->low + 1, std::ceil(std::log10(range->high)));
  return range;
}

class Drawing {
 public:
  Drawing(const SvgChart& chart, const Range& range) : chart_(chart), range_(range) {}

  std::string svg() const {
    const double height = kTop + kPlotHeight + kBelow + kLegendLine * static_cast<double>(drawn());
    std::string text = fmt::format(
        "<svg class=\"drawn\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} The same figures "
        "are in the table below.\">\n",
        kWidth, height, html_escaped(chart_.label));
    text += axes();
    for (std::size_t k = 0; k < drawn(); ++k) text += line(k) + legend(k);
    return text + "</svg>\n";
  }

 private:
  std::size_t drawn() const { return std::min(chart_.lines.size(), kStyles.size()); }

  double x_of(std::size_t place) const {
    const double step = (kWidth - kLeft - kRight) / static_cast<double>(chart_.places.size());
    return kLeft + step * (static_cast<double>(place) + 0.5);
  }

  double y_of(double value) const {
    const double share = (std::log10(value) - range_.low) / (range_.high - range_.low);
    return kTop + kPlotHeight * (1 - share);
  }

  std::string axes() const {
    std::string text = fmt::format("<text x=\"4\" y=\"13\">{}</text>\n", html_escaped(chart_.unit));
    for (double power = range_.low; power <= range_.high; ++power) {
      const double y = y_of(std::pow(10, power));
      text += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                          kLeft, kWidth - kRight, y, y);
      text += fmt::format("<text class=\"end\" x=\"{}\" y=\"{:.1f}\">{:g}</text>\n", kLeft - 6,
                          y + 4, std::pow(10, power));
    }
    for (std::size_t k = 0; k < chart_.places.size(); ++k) {
      text += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x_of(k),
                          kTop + kPlotHeight + 18, html_escaped(chart_.places[k]));
    }
    return text;
  }

  std::string stroke(std::size_t k) const {
    return fmt::format("stroke=\"{}\" stroke-dasharray=\"{}\"", kStyles[k].colour, kStyles[k].dash);
  }

  std::string line(std::size_t k) const {
    std::string points, marks;
    const auto& values = chart_.lines[k].values;
    for (std::size_t i = 0; i < std::min(values.size(), chart_.places.size()); ++i) {
      if (!values[i] || !(*values[i] > 0)) continue;
      points += fmt::format("{:.1f},{:.1f} ", x_of(i), y_of(*values[i]));
      marks += marker(k, x_of(i), y_of(*values[i]));
    }
    return fmt::format("<polyline fill=\"none\" stroke-width=\"2\" {} points=\"{}\"/>\n{}\n",
                       stroke(k), points, marks);
  }

  // Circles and squares in turn.
  std::string marker(std::size_t k, double x, double y) const {
    if (k % 2 == 0) {
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>", x, y,
                         kStyles[k].colour);
    }
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\"/>",
                       x - 3.5, y - 3.5, kStyles[k].colour);
  }

  std::string legend(std::size_t k) const {
    const double y = kTop + kPlotHeight + kBelow + kLegendLine * (static_cast<double>(k) + 0.6);
    return fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"2\" {}/>{}"
        "<text x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        kLeft, kLeft + 40, y, y, stroke(k), marker(k, kLeft + 20, y), kLeft + 48, y + 4,
        html_escaped(chart_.lines[k].label));
  }

  const SvgChart& chart_;
  const Range range_;
};

}  // namespace

std::string to_svg(const SvgChart& chart) {
  const std::optional<Range> range = range_of(chart.lines);
  if (!range || chart.places.empty()) return {};
  return Drawing(chart, *range).svg();
}

}  // namespace hdbench

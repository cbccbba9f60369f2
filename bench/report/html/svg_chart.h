// A line chart as SVG within the page: it needs no script, prints as it is, and takes the page's
// colours. Lines differ by colour, dash and marker, so that none of them is needed alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hdbench {

struct SvgLine {
  std::string label;
  std::vector<std::optional<double>> values;  // one for each place on the x axis; above 0
};

struct SvgChart {
  std::string label;                // what it shows, for those who do not see it
  std::vector<std::string> places;  // along the x axis, evenly apart
  std::string unit;                 // of the y axis, which is logarithmic
  std::vector<SvgLine> lines;       // the first eight are drawn
};

// Empty where there is nothing to draw.
std::string to_svg(const SvgChart& chart);

}  // namespace hdbench

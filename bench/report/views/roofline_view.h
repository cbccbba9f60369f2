// The bytes that queries move and the rate that they reach, compared with the machine's ceilings,
// for the answers' block.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench {

struct RooflinePoint {
  std::size_t query = 0;
  std::size_t column = 0;
  const ReportCell* cell = nullptr;
  double ms = 0;
  double gb_s = 0;
  std::optional<CellCeiling> ceiling;
  std::string reason;  // why there is no ceiling
};

// A rate of the first machine on as many threads.
struct RooflineCeiling {
  std::string label;
  double gb_s = 0;
};

// Points of the cells that have a time and move bytes.
std::vector<RooflinePoint> roofline_points(const ReportPivot& pivot);
std::vector<RooflineCeiling> roofline_ceilings(const ReportPivot& pivot);

}  // namespace hdbench

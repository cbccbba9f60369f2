// Bytes that the queries move and the rate that they reach, against what the machine can do: of the
// answers' block.
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

// Of cells with a time that move bytes.
std::vector<RooflinePoint> roofline_points(const ReportPivot& pivot);
std::vector<RooflineCeiling> roofline_ceilings(const ReportPivot& pivot);

}  // namespace hdbench

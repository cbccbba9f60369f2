#include "bench/report/views/roofline_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/views/figure_text.h"

namespace hdbench {

std::vector<RooflinePoint> roofline_points(const ReportPivot& pivot) {
  std::vector<RooflinePoint> points;
  for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
    for (const std::size_t query : pivot.queries()) {
      const ReportCell* cell = pivot.cell(pivot.primary(), column, query);
      const auto ms = cell == nullptr ? std::nullopt : median_ms(cell->result);
      if (!ms || *ms <= 0) continue;
      const auto bytes = static_cast<double>(cell->result.bytes_read + cell->result.bytes_written);
      if (bytes <= 0) continue;
      RooflinePoint point{query, column, cell, *ms, bytes / (*ms * 1e6), {}, {}};
      const auto ceiling = pivot.ceiling(*cell);
      if (ceiling.ok()) {
        point.ceiling = *ceiling;
      } else {
        point.reason = ceiling.error().message;
      }
      points.push_back(std::move(point));
    }
  }
  return points;
}

std::vector<RooflineCeiling> roofline_ceilings(const ReportPivot& pivot) {
  std::vector<RooflineCeiling> lines;
  const std::size_t threads = pivot.primary().threads;
  // The run that the answers' cells are of.
  const auto cell = std::find_if(
      pivot.input().cells.begin(), pivot.input().cells.end(), [&](const ReportCell& one) {
        return one.dataset == pivot.primary().dataset && one.machine == 0;
      });
  if (cell == pivot.input().cells.end()) return lines;
  const RunCeilings& ceilings = pivot.input().runs[cell->run].context.ceilings;
  if (const ThreadCeilings* memory = ceilings.memory.of(threads)) {
    lines.push_back(
        {fmt::format("memory read, {}", threads_text(threads)), memory->read_gb_s.median});
    lines.push_back(
        {fmt::format("memory copy, {}", threads_text(threads)), memory->copy_gb_s.median});
  }
  if (ceilings.device.known()) {
    lines.push_back({"device, in order", ceilings.device.sequential.figure().median});
  }
  return lines;
}

}  // namespace hdbench

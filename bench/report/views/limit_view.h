// The workspace that queries need: their peak without a limit, and the outcome under each -w that
// was run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

struct WorkspacePeak {
  std::size_t query = 0;
  std::uint64_t bytes = 0;          // the most of all media
  std::optional<KdbNeed> kdb = {};  // kdb+'s, by the model; nothing: not counted
};

// A setting that peaks differ by.
struct WorkspaceNeed {
  ReportBlock block;  // without a limit
  Layout layout = Layout::kPartitioned;
  std::vector<WorkspacePeak> peaks;  // of queries that gave a result

  // Requires: peaks is not empty.
  const WorkspacePeak& greatest() const;
  // The query for which kdb+ would need the greatest -w; null: none was counted.
  const WorkspacePeak* greatest_of_kdb() const;
  // Nothing: it gave no result.
  std::optional<std::uint64_t> peak_of(std::size_t query) const;
};

// One limit under the same axes.
struct LimitOutcome {
  std::uint64_t limit_mib = 0;
  std::vector<std::size_t> completed;
  std::vector<std::size_t> stopped;
  std::vector<std::size_t> spilled;  // completed, partly beyond -w (--on-limit spill)
  // Stopped on one medium and completed on another.
  std::vector<std::size_t> divided;
};

// In the order of the blocks.
std::vector<WorkspaceNeed> workspace_needs(const ReportPivot& pivot);

// The limits that were run under a need's axes, least first.
std::vector<LimitOutcome> limit_outcomes(const ReportPivot& pivot, const WorkspaceNeed& need);

}  // namespace hdbench::bench

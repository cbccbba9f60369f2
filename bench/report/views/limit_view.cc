#include "bench/report/views/limit_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

bool is_under(const ReportCell& cell, const ReportBlock& block, Layout layout) {
  return block_of(cell) == block && cell.result.setting.layout == layout;
}

WorkspaceNeed need_of(const ReportPivot& pivot, const ReportBlock& block, Layout layout) {
  std::map<std::size_t, WorkspacePeak> by_query;
  for (const ReportCell& cell : pivot.input().cells) {
    if (!is_under(cell, block, layout) || !cell.result.rows_out) continue;
    WorkspacePeak& peak = by_query[cell.query];
    peak.query = cell.query;
    peak.bytes = std::max(peak.bytes, cell.result.peak_workspace_bytes);
    const std::optional<KdbNeed>& own = cell.result.kdb;
    if (own && (!peak.kdb || own->least_w_mib > peak.kdb->least_w_mib)) peak.kdb = own;
  }
  WorkspaceNeed need{block, layout, {}};
  for (const std::size_t query : pivot.queries()) {
    if (const auto found = by_query.find(query); found != by_query.end())
      need.peaks.push_back(std::move(found->second));
  }
  return need;
}

struct Counts {
  std::size_t completed = 0;
  std::size_t stopped = 0;
  bool spilled = false;
};

LimitOutcome limit_outcome_of(const ReportPivot& pivot, const WorkspaceNeed& need,
                              std::uint64_t limit_mib) {
  ReportBlock block = need.block;
  block.limit_mib = limit_mib;
  std::map<std::size_t, Counts> counts;
  for (const ReportCell& cell : pivot.input().cells) {
    if (!is_under(cell, block, need.layout)) continue;
    Counts& of_query = counts[cell.query];
    ++(cell.result.rows_out ? of_query.completed : of_query.stopped);
    of_query.spilled = of_query.spilled || cell.result.spilled_bytes > 0;
  }
  LimitOutcome outcome;
  outcome.limit_mib = limit_mib;
  for (const std::size_t query : pivot.queries()) {
    const auto found = counts.find(query);
    if (found == counts.end()) continue;
    const Counts& count = found->second;
    if (count.spilled) outcome.spilled.push_back(query);
    (count.stopped == 0    ? outcome.completed
     : count.completed > 0 ? outcome.divided
                           : outcome.stopped)
        .push_back(query);
  }
  return outcome;
}

}  // namespace

const WorkspacePeak& WorkspaceNeed::greatest() const {
  HDB_CHECK(!peaks.empty(), "the greatest of no peaks");
  return *std::max_element(
      peaks.begin(), peaks.end(),
      [](const WorkspacePeak& a, const WorkspacePeak& b) { return a.bytes < b.bytes; });
}

const WorkspacePeak* WorkspaceNeed::greatest_of_kdb() const {
  const WorkspacePeak* most = nullptr;
  for (const WorkspacePeak& one : peaks) {
    if (one.kdb && (most == nullptr || one.kdb->least_w_mib > most->kdb->least_w_mib)) most = &one;
  }
  return most;
}

std::optional<std::uint64_t> WorkspaceNeed::peak_of(std::size_t query) const {
  for (const WorkspacePeak& one : peaks) {
    if (one.query == query) return one.bytes;
  }
  return std::nullopt;
}

std::vector<WorkspaceNeed> workspace_needs(const ReportPivot& pivot) {
  std::vector<WorkspaceNeed> needs;
  for (const ReportBlock& block : pivot.blocks()) {
    if (block.limit_mib != 0) continue;
    for (const Layout layout : {Layout::kPartitioned, Layout::kFlat}) {
      WorkspaceNeed need = need_of(pivot, block, layout);
      if (!need.peaks.empty()) needs.push_back(std::move(need));
    }
  }
  return needs;
}

std::vector<LimitOutcome> limit_outcomes(const ReportPivot& pivot, const WorkspaceNeed& need) {
  std::set<std::uint64_t> limits;
  for (const ReportCell& cell : pivot.input().cells) {
    ReportBlock block = need.block;
    block.limit_mib = cell.result.setting.limit_mib;
    if (block.limit_mib != 0 && is_under(cell, block, need.layout)) limits.insert(block.limit_mib);
  }
  std::vector<LimitOutcome> outcomes;
  for (const std::uint64_t limit : limits) outcomes.push_back(limit_outcome_of(pivot, need, limit));
  return outcomes;
}

}  // namespace hdbench::bench

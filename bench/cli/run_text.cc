#include "bench/cli/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bench/machine/other_load.h"
#include "bench/report/text/ceiling_table.h"
#include "bench/report/text/peer_table.h"
#include "bench/report/text/run_table.h"
#include "bench/report/text/scaling_table.h"

namespace hdbench {
namespace {

std::vector<CellResult> cells_of(const std::vector<CellResult>& cells, const std::string& dataset) {
  std::vector<CellResult> some;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(some),
               [&](const CellResult& cell) { return cell.setting.dataset == dataset; });
  return some;
}

std::string peers_of_dataset(const RunOutcome& outcome, const DatasetContext& dataset) {
  return peer_blocks(cells_of(outcome.cells, dataset.name),
                     cells_of(outcome.peer_cells, dataset.name));
}

std::string tables_of_dataset(const RunOutcome& outcome, const DatasetContext& dataset) {
  const std::vector<CellResult> cells = cells_of(outcome.cells, dataset.name);
  if (cells.empty()) return {};
  return (dataset.name.empty() ? "" : fmt::format("\n=== {} ===\n", dataset.name)) +
         run_blocks(cells) + ceiling_blocks(cells, outcome.context.ceilings) +
         scaling_blocks(cells, outcome.context.ceilings.memory) +
         peers_of_dataset(outcome, dataset);
}

std::string limit_lines(const std::vector<CellResult>& cells) {
  std::string text;
  std::set<std::string> reasons;
  for (const CellResult& cell : cells) {
    if (!cell.error || !reasons.insert(query_label(cell.query) + *cell.error).second) continue;
    text += fmt::format("0N: {}: {}\n", query_label(cell.query), *cell.error);
  }
  return text;
}

// What was written to files lies on none of the media: its cells say nothing of those. The most of
// a query under a limit, whatever its other settings.
std::string spill_lines(const std::vector<CellResult>& cells) {
  std::map<std::tuple<std::string, int, std::size_t>, std::uint64_t> most;
  for (const CellResult& cell : cells) {
    if (cell.spilled_bytes == 0) continue;
    std::uint64_t& bytes = most[{cell.setting.dataset, cell.query, cell.setting.limit_mib}];
    bytes = std::max(bytes, cell.spilled_bytes);
  }
  std::string text;
  for (const auto& [of, bytes] : most) {
    const auto& [dataset, query, limit_mib] = of;
    text += fmt::format(
        "spilled: {}{}, -w {}: up to {:.3g} GB of its workspace went to files, not to the results' "
        "medium\n",
        dataset.empty() ? "" : dataset + ": ", query_label(query), limit_mib,
        static_cast<double>(bytes) / 1e9);
  }
  return text;
}

// Of this session and those before.
std::string load_lines(const std::vector<PreflightNote>& notes) {
  std::string text;
  for (const PreflightNote& note : notes) {
    if (note.name == OtherLoad::kNoteName) text += note.text + "\n";
  }
  return text;
}

}  // namespace

std::string run_text(const RunOutcome& outcome) {
  std::string text = run_header(outcome.context, outcome.cells);
  for (const DatasetContext& dataset : outcome.context.datasets)
    text += tables_of_dataset(outcome, dataset);
  text += limit_lines(outcome.cells) + spill_lines(outcome.cells);
  text += precision_line(outcome.context, outcome.cells);
  text += load_lines(outcome.context.preflight);
  for (const std::string& line : outcome.context.codes_saved) text += line + "\n";
  for (const std::string& line : outcome.context.host_floors)
    text += fmt::format("host floor: {}\n", line);
  for (const std::string& line : outcome.context.left_out)
    text += fmt::format("not run: {}\n", line);
  return text;
}

std::string peer_tables(const RunOutcome& outcome) {
  std::string text;
  for (const DatasetContext& dataset : outcome.context.datasets)
    text += peers_of_dataset(outcome, dataset);
  return text;
}

}  // namespace hdbench

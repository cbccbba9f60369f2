#include "bench/run/resumed_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

const PlacementCeilings* saved_ceilings(const SavedRun& saved, const WantedPlacement& wanted) {
  const PlannedPlacement& planned = wanted.planned;
  for (const PlacementCeilings& one : saved.context.ceilings.placements) {
    if (one.matrix == wanted.matrix && one.medium == planned.medium &&
        one.layout == planned.layout && one.codes == planned.codes &&
        one.dataset == planned.settings.front().dataset)
      return &one;
  }
  return nullptr;
}

const CellResult* saved_cell(const SavedRun& saved, const ListedQuery& listed,
                             const Setting& setting) {
  for (const CellResult& cell : saved.cells) {
    if (!cell.peer && cell.query == listed.id && cell.setting == setting &&
        cell.text == listed.query.text)
      return &cell;
  }
  return nullptr;
}

// Of how many visits a cell is finished: those that were not cut short, and beyond them those with
// enough repetitions.
std::size_t visits_of(const CellResult& cell, std::size_t whole, std::size_t least) {
  if (cell.error && cell.error_visit < whole) return whole;
  std::size_t visits = 0;
  for (const std::size_t repetitions : cell.visits) {
    const std::size_t enough = visits == 0 ? least : cell.visits.front();
    if (visits >= whole && (cell.error || repetitions < enough)) break;
    ++visits;
  }
  return visits;
}

std::vector<CellResult> saved_peers(const SavedRun& saved, const PlannedPlacement& placement) {
  std::vector<CellResult> cells;
  for (const CellResult& cell : saved.cells) {
    if (cell.peer && cell.setting.medium == placement.medium &&
        cell.setting.layout == placement.layout)
      cells.push_back(cell);
  }
  return cells;
}

Status same(const char* what, const std::string& before, const std::string& now,
            const std::string& file) {
  if (before == now) return ok_status();
  return usage_error(fmt::format("--resume: {} is of another {}: '{}', and here it is '{}'", file,
                                 what, before, now));
}

// Older files have only the least number.
bool has_rule(const RunContext& context) { return context.repetitions_most && context.precision; }

std::string rule_text(const RunContext& context) {
  const bool all_alike =
      *context.precision == 0 || *context.repetitions_most <= context.repetitions;
  if (all_alike) return fmt::format("{} each", context.repetitions);
  return fmt::format("{} to {}, until within {:g} %", context.repetitions,
                     *context.repetitions_most, 100 * *context.precision);
}

}  // namespace

std::optional<SavedPlacement> saved_placement(const SavedRun& saved,
                                              const WantedPlacement& wanted) {
  if (wanted.planned.settings.empty()) return std::nullopt;
  const PlacementCeilings* const ceilings = saved_ceilings(saved, wanted);
  if (ceilings == nullptr) return std::nullopt;
  SavedPlacement kept{*ceilings, {}, saved_peers(saved, wanted.planned)};
  std::size_t visits = wanted.reloads;
  for (const Setting& setting : wanted.planned.settings) {
    for (const ListedQuery& listed : wanted.queries) {
      if (!wanted.filter.chooses(query_label(listed.id) + "/" + setting_name(setting))) continue;
      ++kept.cells_planned;
      const CellResult* const cell = saved_cell(saved, listed, setting);
      const std::size_t of_cell =
          cell == nullptr ? 0 : visits_of(*cell, ceilings->visits, wanted.least);
      if (cell != nullptr) kept.cells.push_back({*cell, of_cell});
      visits = std::min(visits, of_cell);
    }
  }
  if (kept.cells.empty()) return std::nullopt;
  const std::size_t whole = std::min(visits, ceilings->visits);
  if (whole == 0) kept.peer_cells.clear();
  if (wanted.has_peers && whole < wanted.reloads) {
    visits = 0;
    for (SavedCell& cell : kept.cells) cell.visits = 0;
  }
  kept.ceilings.visits = visits;
  kept.ceilings.finished = visits == wanted.reloads;
  kept.cells_ahead = static_cast<std::size_t>(std::ranges::count_if(
      kept.cells, [&](const SavedCell& cell) { return cell.visits > visits; }));
  return kept;
}

std::vector<std::string> changed_queries(const SavedRun& saved,
                                         const std::vector<ListedQuery>& queries,
                                         const std::vector<std::string>& cell_names) {
  std::vector<std::string> lines;
  for (const CellResult& cell : saved.cells) {
    const auto listed =
        std::ranges::find_if(queries, [&](const auto& one) { return one.id == cell.query; });
    if (cell.peer || listed == queries.end() || listed->query.text == cell.text) continue;
    if (std::ranges::find(cell_names, cell.name()) == cell_names.end()) continue;
    add_once(lines,
             fmt::format("resume: {} of {} is '{}', and here it is '{}': its cells are run anew",
                         query_label(cell.query), saved.file, printable_line(cell.text),
                         printable_line(listed->query.text)));
  }
  return lines;
}

Status check_same_run(const SavedRun& saved, const RunContext& now) {
  const RunContext& before = saved.context;
  HDB_TRY(same("commit", before.commit, now.commit, saved.file));
  HDB_TRY(same("least number of repetitions", std::to_string(before.repetitions),
               std::to_string(now.repetitions), saved.file));
  if (has_rule(before) && has_rule(now)) {
    HDB_TRY(same("repetition rule", rule_text(before), rule_text(now), saved.file));
  }
  HDB_TRY(same("number of visits", std::to_string(before.visits), std::to_string(now.visits),
               saved.file));
  HDB_TRY(same("machine", describe(before.host), describe(now.host), saved.file));
  for (const auto& [name, digest] : now.profiles) {
    for (const auto& [known, before_digest] : before.profiles) {
      if (known != name) continue;
      HDB_TRY(
          same(fmt::format("text of profile {}", name).c_str(), before_digest, digest, saved.file));
    }
  }
  for (const DatasetContext& dataset : now.datasets) {
    const auto found = std::find_if(before.datasets.begin(), before.datasets.end(),
                                    [&](const auto& one) { return one.name == dataset.name; });
    if (found == before.datasets.end()) continue;
    HDB_TRY(same("database", found->database, dataset.database, saved.file));
    HDB_TRY(same("number of partitions", std::to_string(found->partitions),
                 std::to_string(dataset.partitions), saved.file));
  }
  return ok_status();
}

}  // namespace hdbench::bench

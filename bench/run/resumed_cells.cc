#include "bench/run/resumed_cells.h"

#include <fmt/format.h>

#include <algorithm>

namespace hdbench {
namespace {

const PlacementCeilings* loaded_ceilings(const SavedRun& saved, std::size_t matrix,
                                         const PlannedPlacement& placement,
                                         const std::string& dataset) {
  for (const PlacementCeilings& one : saved.context.ceilings.placements) {
    if (one.visits != 0 && one.matrix == matrix && one.medium == placement.medium &&
        one.layout == placement.layout && one.codes == placement.codes && one.dataset == dataset &&
        one.readahead_kib == placement.readahead_kib)
      return &one;
  }
  return nullptr;
}

const CellResult* saved_cell(const SavedRun& saved, const ListedQuery& listed,
                             const Setting& setting) {
  for (const CellResult& cell : saved.cells) {
    if (!cell.peer && cell.query == listed.id && cell.setting == setting &&
        cell.text == listed.query.text())
      return &cell;
  }
  return nullptr;
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

std::optional<SavedReloads> saved_reloads(const SavedRun& saved, std::size_t matrix,
                                          const PlannedPlacement& placement,
                                          const std::vector<ListedQuery>& queries,
                                          const NamePattern& filter) {
  if (placement.settings.empty()) return std::nullopt;
  const PlacementCeilings* const ceilings =
      loaded_ceilings(saved, matrix, placement, placement.settings.front().dataset);
  if (ceilings == nullptr) return std::nullopt;
  SavedReloads kept{*ceilings, {}, saved_peers(saved, placement)};
  for (const Setting& setting : placement.settings) {
    for (const ListedQuery& listed : queries) {
      if (!filter.chooses(query_label(listed.id) + "/" + setting_name(setting))) continue;
      const CellResult* const cell = saved_cell(saved, listed, setting);
      if (cell == nullptr) return std::nullopt;
      kept.cells.push_back(*cell);
      keep_reloads(kept.cells.back(), ceilings->visits);
      const bool has_all = cell->error || kept.cells.back().visits.size() == ceilings->visits;
      if (!has_all) return std::nullopt;
    }
  }
  return kept;
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

}  // namespace hdbench

#include "bench/report/views/run_pivot.h"

#include <algorithm>

#include "bench/base/statistics.h"

namespace hdbench {
namespace {

PivotBlock block_of(const Setting& setting) {
  return {setting.limit_mib, setting.attr, setting.mode, setting.threads};
}

template <typename T>
void append_once(std::vector<T>& values, const T& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<PivotColumn> columns_of(const std::vector<CellResult>& cells) {
  std::vector<PivotColumn> columns;
  for (const CellResult& cell : cells) {
    const bool known = std::any_of(columns.begin(), columns.end(),
                                   [&](const PivotColumn& column) { return column.holds(cell); });
    if (known) continue;
    const Setting& setting = cell.setting;
    const bool was_cold = std::any_of(cells.begin(), cells.end(), [&](const CellResult& other) {
      return other.setting.medium == setting.medium && other.setting.cache == Cache::kCold;
    });
    columns.push_back({setting.medium, setting.layout, setting.cache, was_cold, cell.emulated,
                       setting.codes, setting.prefetch});
  }
  std::stable_sort(columns.begin(), columns.end(), [](const PivotColumn& a, const PivotColumn& b) {
    return (a.cache == Cache::kCold) > (b.cache == Cache::kCold);
  });
  return columns;
}

}  // namespace

bool PivotColumn::holds(const CellResult& cell) const {
  return cell.setting.medium == medium && cell.setting.layout == layout &&
         cell.setting.cache == cache && cell.setting.codes == codes &&
         cell.setting.prefetch == prefetch;
}

RunPivot::RunPivot(const std::vector<CellResult>& cells)
    : cells_(cells), columns_(columns_of(cells)) {
  for (const CellResult& cell : cells) {
    append_once(blocks_, block_of(cell.setting));
    append_once(queries_, cell.query);
  }
}

const CellResult* RunPivot::cell(const PivotBlock& block, const PivotColumn& column,
                                 int query) const {
  const CellResult* found = find(block, column, query);
  if (found != nullptr || !stands_in(block, column)) return found;
  PivotBlock without = block;
  without.attr = AttrUse::kNone;
  return find(without, column, query);
}

bool RunPivot::stands_in(const PivotBlock& block, const PivotColumn& column) const {
  return block.attr == AttrUse::kParted &&
         std::none_of(cells_.begin(), cells_.end(), [&](const CellResult& cell) {
           return column.holds(cell) && cell.setting.attr == AttrUse::kParted;
         });
}

std::optional<double> RunPivot::ratio(const PivotBlock& block, const PivotColumn& column,
                                      int query) const {
  const CellResult* first = cell(block, columns_.front(), query);
  const CellResult* other = cell(block, column, query);
  if (first == nullptr || other == nullptr) return std::nullopt;
  const std::optional<double> first_ms = median_ms(*first);
  const std::optional<double> ms = median_ms(*other);
  if (!first_ms || !ms || *first_ms <= 0 || *ms <= 0) return std::nullopt;
  return *first_ms / *ms;
}

std::optional<double> RunPivot::mean_ratio(const PivotBlock& block,
                                           const PivotColumn& column) const {
  std::vector<double> ratios;
  for (const int query : queries_) {
    const bool is_missing =
        cell(block, columns_.front(), query) != nullptr && cell(block, column, query) == nullptr;
    if (is_missing) return std::nullopt;
    if (const auto one = ratio(block, column, query)) ratios.push_back(*one);
  }
  if (ratios.empty()) return std::nullopt;
  return geometric_mean(ratios);
}

const CellResult* RunPivot::find(const PivotBlock& block, const PivotColumn& column,
                                 int query) const {
  for (const CellResult& cell : cells_) {
    if (cell.query == query && block_of(cell.setting) == block && column.holds(cell)) return &cell;
  }
  return nullptr;
}

}  // namespace hdbench

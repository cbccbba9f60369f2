// Arranges a run's cells in blocks, columns and lines, as the printed table has them.
//
// A block is a limit, attribute, mode and thread count; a column a medium, layout, codes, cache and
// prefetch; a line a query. The first column is the reference of the others: a disk run cold, if
// there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/axes.h"
#include "bench/model/cell_result.h"

namespace hdbench {

struct PivotColumn {
  std::string medium;
  Layout layout = Layout::kPartitioned;
  Cache cache = Cache::kWarm;
  bool shows_cache = false;  // it was run cold, too
  bool emulated = false;
  Codes codes = Codes::kStored;
  Prefetch prefetch = Prefetch::kOff;

  bool holds(const CellResult& cell) const;
};

struct PivotBlock {
  std::uint64_t limit_mib = 0;
  AttrUse attr = AttrUse::kNone;
  Mode mode = Mode::k40;
  std::size_t threads = 1;

  bool operator==(const PivotBlock&) const = default;
};

class RunPivot {
 public:
  // The cells must outlive this.
  explicit RunPivot(const std::vector<CellResult>& cells);

  const std::vector<PivotBlock>& blocks() const { return blocks_; }
  const std::vector<PivotColumn>& columns() const { return columns_; }
  const std::vector<int>& queries() const { return queries_; }

  // Where a column carries no p#, its attr:none cells stand in for attr:parted ones. Null where
  // there is no cell.
  const CellResult* cell(const PivotBlock& block, const PivotColumn& column, int query) const;
  // Whether attr:none cells stand in for this block's.
  bool stands_in(const PivotBlock& block, const PivotColumn& column) const;

  // How many times as fast as the first column. Nothing where either was not run or is 0N.
  std::optional<double> ratio(const PivotBlock& block, const PivotColumn& column, int query) const;
  // Over all queries; nothing where one that the first column has was not run in this one.
  std::optional<double> mean_ratio(const PivotBlock& block, const PivotColumn& column) const;

 private:
  const CellResult* find(const PivotBlock& block, const PivotColumn& column, int query) const;

  const std::vector<CellResult>& cells_;
  std::vector<PivotBlock> blocks_;
  std::vector<PivotColumn> columns_;
  std::vector<int> queries_;
};

}  // namespace hdbench

// The cells as the report shows them: blocks of fixed axes, with a line for each query and a column
// for each place of the bytes.
//
// Every machine has one reference column, with which its other columns are compared and which is
// its first: NVMe, partitioned, cold, or the nearest to it that was run.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/model/cell_ceiling.h"
#include "bench/report/views/report_input.h"

namespace hdbench::bench {

// The partitions of the study's larger database.
constexpr std::size_t kLargePartitions = 784;

struct ReportColumn {
  std::size_t machine = 0;
  Setting setting;  // the axes of blocks, the dataset and the mode of emulation are as usual
  bool emulated = false;
  std::string emulation;      // "emulated: optane-100-6dimm, model"; empty for a real medium
  std::string label;          // "App Direct (optane-100-6dimm), flat"
  std::size_t reference = 0;  // its machine's

  bool holds(const ReportCell& cell) const;
  bool is_disk() const;  // of the nvme kind, emulated or not
  // " emulated: optane-100-6dimm, model." after a sentence; empty for a real medium.
  std::string emulation_note() const { return emulated ? " " + emulation + "." : ""; }
};

struct ReportBlock {
  std::size_t dataset = 0;
  AttrUse attr = AttrUse::kParted;
  Mode mode = Mode::k40;
  std::size_t threads = 1;
  std::uint64_t limit_mib = 0;

  auto operator<=>(const ReportBlock&) const = default;
  ReportBlock on(std::size_t its_threads) const {
    return {dataset, attr, mode, its_threads, limit_mib};
  }
};

class ReportPivot {
 public:
  // The input must outlive this. Requires: it has cells.
  explicit ReportPivot(const ReportInput& input);

  const ReportInput& input() const { return input_; }
  const std::vector<ReportColumn>& columns() const { return columns_; }
  const ReportColumn& column(std::size_t at) const { return columns_[at]; }
  const std::string& label(std::size_t query) const { return input_.queries[query].label; }
  // The one that answers rest on first: no limit, mode 4.0, parted, most threads, the smaller
  // dataset.
  const std::vector<ReportBlock>& blocks() const { return blocks_; }
  const ReportBlock& primary() const { return blocks_.front(); }
  // By number.
  const std::vector<std::size_t>& queries() const { return queries_; }

  // The dataset that charts 1 to 8 are of, and the larger one, by its partitions, of charts 9 and
  // 10. Nothing: none such was run.
  std::optional<std::size_t> main_dataset() const { return main_; }
  std::optional<std::size_t> large_dataset() const { return large_; }

  // Where a column carries no p#, its attr:none cells stand in for attr:parted ones. Null where
  // there is no cell.
  const ReportCell* cell(const ReportBlock& block, std::size_t column, std::size_t query) const;
  bool stands_in(const ReportBlock& block, std::size_t column) const;
  // Whether any query was run there.
  bool has(const ReportBlock& block, std::size_t column) const;
  // The columns with any, in order.
  std::vector<std::size_t> columns_of(const ReportBlock& block) const;
  // Its cell's median; nothing: not run, or 0N.
  std::optional<double> ms(const ReportBlock& block, std::size_t column, std::size_t query) const;

  // The column of one of hdbench's own cells.
  std::size_t column_of(const ReportCell& cell) const;

  // How many times as fast as the reference. Nothing where either was not run or is 0N.
  std::optional<Ratio> gain(const ReportBlock& block, std::size_t column, std::size_t query) const;

  // median_ratio() and median_interval() of these cells' times, worked out once. Nothing where one
  // is 0N; no ratio of a real medium and a cold emulated disk whose profile has no latency.
  std::optional<Ratio> ratio(const ReportCell& a, const ReportCell& b) const;
  std::optional<Interval> interval(const ReportCell& cell) const;
  // Half the interval as a share of the median. Nothing without an interval.
  std::optional<double> half_width(const ReportCell& cell) const;

  // The thread counts of a dataset's cells, fewest first.
  std::vector<std::size_t> threads(std::size_t dataset) const;

  Result<CellCeiling> ceiling(const ReportCell& cell) const;
  // Whether the figure is above its ceiling. Such cells are in no mean.
  bool is_impossible(const ReportCell& cell) const;
  // cell_ceiling.h's, with the ceilings of the cell's run.
  bool is_cached(const ReportCell& cell) const;

 private:
  // column, query
  using Place = std::tuple<ReportBlock, std::size_t, std::size_t>;

  const ReportCell* find(const ReportBlock& block, std::size_t column, std::size_t query) const;
  bool lacks_latency(const ReportCell& cell) const;
  void index_cells();
  void find_datasets();
  void order_blocks();

  const ReportInput& input_;
  std::vector<ReportColumn> columns_;
  std::vector<ReportBlock> blocks_;
  std::vector<std::size_t> queries_;
  std::optional<std::size_t> main_;
  std::optional<std::size_t> large_;
  std::map<Place, const ReportCell*> cells_;
  std::set<std::pair<std::size_t, std::size_t>> parted_;  // datasets and columns that carry p
  // Intervals cost thousands of resamples each.
  mutable std::map<std::pair<const ReportCell*, const ReportCell*>, std::optional<Ratio>> ratios_;
  mutable std::map<const ReportCell*, std::optional<Interval>> intervals_;
};

ReportBlock block_of(const ReportCell& cell);

// "DRAM", "App Direct (optane-100-6dimm)", "NUMA node 1".
std::string medium_title(const std::string& word);

// "with p".
std::string attr_text(AttrUse attr);

// ", paper-3y" where there are several.
std::string dataset_note(const ReportPivot& pivot, std::size_t dataset);

// The CPUs that every machine has; 0: not known.
std::size_t least_cpus(const ReportInput& input);

// "with p, mode 4.0, paper-3y": without threads and limit.
std::string axes_text(const ReportPivot& pivot, const ReportBlock& block);

// "with p, mode 4.0, 2 threads, -w 512 MiB, paper-3y".
std::string block_text(const ReportPivot& pivot, const ReportBlock& block);

}  // namespace hdbench::bench

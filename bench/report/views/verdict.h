// The verdict: a query's time on every medium, how many times as fast as the reference it is, and
// the rate at which it moves its bytes beside the machine's ceilings; the marks beside figures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/views/pair_mean.h"
#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

struct VerdictCell {
  const ReportCell* cell = nullptr;  // null: not run
  std::optional<double> ms;          // nothing: 0N
  std::optional<Interval> interval;
  std::optional<Ratio> gain;  // over the reference; not of the reference itself
  bool is_above_ceiling = false;
  bool is_cached = false;  // report_pivot.h
};

// Marks, in the order of the legend.
constexpr char kSameMark =
    '=';  // the whole interval of the ratio lies close about 1 (Ratio::kSame)
constexpr char kUnsaidMark = '?';  // it holds 1 and is wider
constexpr char kAboveMark = '!';   // the figure is above its ceiling
constexpr char kCachedMark = 'c';  // it is partly the caches' (cell_ceiling.h)
constexpr char kEmulatedMark = '*';
constexpr char kCrowdedMark = '>';  // more threads than CPUs

class TableMarks {
 public:
  // The cell's one mark, the gravest; a blank: none. Remembers it.
  char of(const VerdictCell& cell);
  void add(char mark) { seen_ += mark; }
  bool has(char mark) const { return seen_.find(mark) != std::string::npos; }
  // "= the same within 10 %, ? no difference could be shown"; empty: the table has none.
  std::string legend() const;

 private:
  std::string seen_;
};

struct VerdictRow {
  std::size_t query = 0;
  std::string rows;                // "612,814"; "0N"; empty: not run
  std::vector<VerdictCell> cells;  // one a column of the table
};

struct VerdictTable {
  ReportBlock block;
  std::vector<std::size_t> columns;  // that were run in this block
  std::vector<VerdictRow> rows;      // queries that were run in this block
  std::vector<PairMean> means;       // one a column: how many times as fast as the reference
  std::vector<std::string> reasons;  // "Q11 on NVMe, ...: why it is 0N", each once
};

VerdictTable verdict_table(const ReportPivot& pivot, const ReportBlock& block);

// The lines shown when the pointer is on a cell's bar: time, interval, ratio, rows, bytes, ceiling,
// workspace, proof of cold, checksum.
std::vector<std::string> cell_lines(const ReportPivot& pivot, const VerdictCell& cell,
                                    std::size_t column);

// "95 % of the device ceiling".
std::string share_text(const CellCeiling& ceiling);

// The cell with its figures.
VerdictCell verdict_cell(const ReportPivot& pivot, const ReportBlock& block, std::size_t column,
                         std::size_t query);

struct RooflinePoint {
  std::size_t query = 0;
  std::size_t column = 0;
  const ReportCell* cell = nullptr;
  double gb_s = 0;
  Result<CellCeiling> ceiling;
};

// Points of the answers' block's cells that have a time and move bytes.
std::vector<RooflinePoint> roofline_points(const ReportPivot& pivot);
// Rates of the first machine on as many threads: "memory read, 2 threads" and GB/s.
std::vector<std::pair<std::string, double>> roofline_ceilings(const ReportPivot& pivot);

}  // namespace hdbench::bench

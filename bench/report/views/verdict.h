// The verdict: a query's time on every medium, how many times as fast as the reference it is, and
// the rate at which it moves its bytes beside the machine's ceilings; the marks beside figures.
//
// A pair of cells is left out of a mean over the queries when either is above its ceiling (which
// cannot be), when either is cached (cell_ceiling.h: what it measures is partly the caches), and
// when it has no interval (a ratio of single repetitions is no finding).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

enum class LeftOut : std::uint8_t { kNone, kAboveCeiling, kCached };
LeftOut left_out(const ReportPivot& pivot, const ReportCell& a, const ReportCell& b);

struct PairMean {
  std::vector<std::pair<std::size_t, Ratio>> queries = {};  // each query's that is in the mean
  std::size_t impossible = 0;                               // queries left out: above a ceiling,
  std::size_t cached = 0;                                   // cached,
  std::size_t single = 0;                                   // without an interval

  // Adds how many times as long a query takes in `a` as in `b`; nothing where either is null or has
  // no time.
  void add(const ReportPivot& pivot, std::size_t query, const ReportCell* a, const ReportCell* b);

  std::size_t left_out() const { return impossible + cached + single; }
  std::size_t pairs() const { return queries.size() + left_out(); }
  // The geometric mean of the ratios. Its interval is the geometric mean of the ends of theirs,
  // which is not too narrow however their errors go together. Nothing: no pair is in it.
  std::optional<Ratio> ratio() const;
  // "1 above a ceiling, 7 cached, 2 without an interval"; empty where none is left out.
  std::string left_out_text() const;
};

struct PairPlace {
  ReportBlock block;
  std::size_t column = 0;
};
// Over all queries: how many times as long as in `b` they take in `a`.
PairMean times_as_long(const ReportPivot& pivot, const PairPlace& a, const PairPlace& b);
// In the primary block: how many times as fast as in the reference they are in this column.
PairMean gains_over_reference(const ReportPivot& pivot, std::size_t column);

// "less than 4 times the last-level caches (32 MiB)", with the largest of the runs'.
std::string cached_text(const ReportPivot& pivot);

// "with p 1.72x as fast (1.60 to 1.85)"; "with p: no difference could be shown (0.90 to 1.10)", or
// why there is no figure. `than`: " as 1 thread".
std::string faster_text(const std::string& what, const PairMean& mean,
                        const std::string& than = "");

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

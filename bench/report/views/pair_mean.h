// How many times as long queries take in one place as in another, over all queries in one figure,
// and the pairs of cells that are in none.
//
// A pair is left out when either cell is above its ceiling (which cannot be), when either is cached
// (cell_ceiling.h: what it measures is partly the caches), and when it has no interval (a ratio of
// single repetitions is no finding).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

}  // namespace hdbench::bench

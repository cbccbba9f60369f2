// The marks beside a table's figures, and a legend of those that the table has.
#pragma once

#include <string>
#include <string_view>

#include "bench/report/views/verdict.h"

namespace hdbench::bench {

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

}  // namespace hdbench::bench

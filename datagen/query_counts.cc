#include "datagen/query_counts.h"

#include "datagen/calendar.h"
#include "datagen/paper_symbols.h"

namespace hdbench::datagen {
namespace {

struct DateRange {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

struct Totals {
  std::uint64_t days = 0;
  std::uint64_t selected = 0;
};

Totals totals(std::span<const DayCount> days, DateRange range) {
  Totals sum;
  for (const DayCount& day : days) {
    if (day.date < range.first || day.date > range.last) continue;
    ++sum.days;
    sum.selected += day.selected;
  }
  return sum;
}

}  // namespace

std::array<QueryCount, 11> paper_query_counts(std::span<const DayCount> days) {
  constexpr std::uint64_t kEnds = 2;
  const Totals one = totals(days, {date_of(2020, 1, 7), date_of(2020, 1, 7)});
  const Totals january = totals(days, {date_of(2020, 1, 3), date_of(2020, 1, 31)});
  const Totals all = totals(days, {date_of(2019, 11, 1), date_of(2020, 1, 31)});
  return {{{1, kCol1OfVal1, kCol1OfVal1},
           {2, january.days * kCol1OfVal1, kEnds * kCol1OfVal1},
           {3, all.days * kCol1OfVal1, kEnds * kCol1OfVal1},
           {4, one.selected, one.selected},
           {5, kPairsOfSelected, kPairsOfSelected},
           {6, january.days * kPairsOfSelected, kEnds * kPairsOfSelected},
           {7, all.days * kPairsOfSelected, kEnds * kPairsOfSelected},
           {8, kCol1OfVal1Val2, kCol1OfVal1Val2},
           {9, all.days * kCol1OfVal1Val2, kEnds * kCol1OfVal1Val2},
           {10, january.selected, january.selected},
           {11, all.selected, all.selected}}};
}

}  // namespace hdbench::datagen

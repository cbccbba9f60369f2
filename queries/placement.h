// Locates a literal among the order keys of a column, for exact comparisons.
//
// The key is the stored element's own (engine/column/element_key.h), so a null narrower than 64
// bits is its type's minimum. Comparison is by value, without rounding: an int column is above 2.5
// from 3 on, and a long above 2^53 does not equal a float near it. Literals of another type:
//   - numbers: by value; a null is the column's null, the least of all (a column without one,
//     boolean or byte, lies above it); an infinite integer is its value, 0Wh being 32767;
//   - a real column: as the doubles that its values widen to, so 1.1 is no real but 1.1e is;
//   - dates, months, timestamps and datetimes: by instant, a month being its first day; datetimes
//     to the millisecond; null and infinities become the column's own;
//   - timespans, times, seconds and minutes: in nanoseconds; null and infinities likewise.
// Floats compare exactly. kdb+ treats floats within 2^-43 of each other as equal.
#pragma once

#include <cstdint>

#include "engine/column/type.h"
#include "engine/operator/plan.h"
#include "queries/literal.h"

namespace hdbench {

struct Placement {
  // The greatest key that is not above the literal; says nothing when below_all.
  std::int64_t floor = 0;
  // Whether that key is the literal's own value.
  bool exact = false;
  // The literal is below every key that the column can hold.
  bool below_all = false;
};

// Requires: the types are of one family (type_family.h), and that one of numbers, instants, spans
// or chars.
Placement place(QType column, const Atom& atom);

// The ranges of keys that compare so with the placed literal. A side without a bound is the end of
// i64; what nothing passes is kEmptyRange.
inline constexpr RangeTest kEmptyRange{1, 0};
RangeTest equal_range(const Placement& placement);
RangeTest less_range(QType column, const Placement& placement);
RangeTest less_equal_range(QType column, const Placement& placement);
RangeTest greater_range(QType column, const Placement& placement);
RangeTest greater_equal_range(QType column, const Placement& placement);
// Both ends included.
RangeTest within_range(QType column, const Placement& low, const Placement& high);

}  // namespace hdbench

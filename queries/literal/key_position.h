// Locates a literal among the order keys of a column, for exact comparisons.
//
// Keys are those of stored elements (engine/column/order_key.h), so the null of a type narrower
// than 64 bits is that type's minimum. Values are compared without rounding: an int column is above
// 2.5 from 3 on, and a long above 2^53 does not equal a float near it. Literals of another type:
//   - numbers: by value; a null is the column's null, the least of all (a column without one,
//     boolean or byte, lies above it); an infinite integer is its value, 0Wh being 32767;
//   - a real column: its values are widened to doubles, so none equals 1.1 but one equals 1.1e;
//   - dates, months, timestamps and datetimes: by instant, a month being its first day; datetimes
//     to the millisecond; null and infinities become those of the column's type;
//   - timespans, times, seconds and minutes: in nanoseconds; null and infinities likewise.
// Floats compare exactly. kdb+ treats floats within 2^-43 of each other as equal.
#pragma once

#include <cstdint>

#include "engine/column/type.h"
#include "engine/operator/plan.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

struct KeyPosition {
  // The greatest key that is not above the literal; unspecified when below_all.
  std::int64_t floor = 0;
  // Whether that key's value equals the literal.
  bool exact = false;
  // The literal is below every key that the column can hold.
  bool below_all = false;
};

// Requires: the types are of one family (type_family.h), and that one of numbers, instants, spans
// or chars; or an integer beside an instant or a span, whose number it is compared with.
KeyPosition place(QType column, const Atom& atom);

enum class Comparison {  // in the order of the words in literal_comparison.cc
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kWithin,
  kIn,
  kLike,
};

// The keys whose comparison with the placed literal is true; of kWithin, which includes both ends,
// with two. An unbounded side is the end of i64. kEmptyRange: no key passes. Requires: one of = <
// <= > >= within.
inline constexpr RangeTest kEmptyRange{1, 0};
RangeTest range_of(Comparison comparison, QType column, const KeyPosition& low,
                   const KeyPosition& high = {});

}  // namespace hdbench::queries

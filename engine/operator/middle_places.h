// Which of a group's values med is made of (docs/aggregates.md).
#pragma once

#include <cstdint>

namespace hdbench {

// Places among the values in order, from 0, nulls not counted; low and high are equal where there
// is one value in the middle, or where the other one is a null.
struct MiddlePlaces {
  bool is_null = true;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

// Nulls come first in q's order: they move the middle, and the mean of two leaves them out.
constexpr MiddlePlaces middle_places(std::uint64_t values, std::uint64_t nulls) {
  const std::uint64_t high = (values + nulls) / 2;
  if (values == 0 || high < nulls) return {};
  const std::uint64_t low = (values + nulls - 1) / 2;
  return {false, (low < nulls ? high : low) - nulls, high - nulls};
}

static_assert(middle_places(0, 0).is_null && middle_places(1, 2).is_null);
static_assert(middle_places(4, 0).low == 1 && middle_places(4, 0).high == 2);
static_assert(middle_places(2, 1).low == 0 && middle_places(2, 1).high == 0);  // 0N 1 2
static_assert(!middle_places(1, 1).is_null && middle_places(1, 1).low == 0);   // 0N 1
static_assert(middle_places(3, 2).low == 0 && middle_places(3, 2).high == 0);

}  // namespace hdbench

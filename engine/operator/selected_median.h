// med of few groups in two passes, without keeping all values: the first counts values by bucket,
// the second keeps those of the buckets that contain the middle ones.
//
// Buckets divide a range that holds most values into equal parts; the outer two also take what lies
// beyond. The range affects speed, not the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "engine/column/table.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/partition_view.h"

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

struct ValueRange {
  double low = 0;
  double high = 0;
};

// Of a sample of a field's values, nulls and infinities left out, and a margin. Requires: a number
// or a temporal type; a field that is not virtual.
ValueRange sampled_range(const Schema& schema, std::span<const PartitionView> views,
                         std::size_t field);

// Groups that there may be: each has its buckets.
constexpr std::size_t kSelectedMedianGroupsMax = 256;

// Requires: all aggregators that are merged have one range.
std::unique_ptr<Aggregator> make_selected_median(QType type, ValueRange range,
                                                 std::pmr::memory_resource& resource);

}  // namespace hdbench

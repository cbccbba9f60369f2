// med of few groups in two passes, without keeping all values: the first counts values by bucket,
// the second keeps those of the buckets that contain the middle ones.
//
// Buckets divide a range that holds most values into equal parts; the outer two also take what lies
// beyond. The range affects speed, not the result.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>

#include "engine/column/table.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/partition_view.h"

namespace hdbench {

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

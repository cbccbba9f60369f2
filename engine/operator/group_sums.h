// Exact sums of doubles by group, and the number of nulls in each group.
//
// Values are split (split_sum.h) into two parts whose sums are exact, a vector at a time. A group's
// parts are added to two doubles, which are added to its exact sum (exact_sum.h) before they could
// be rounded. Values that cannot be split are added to the exact sum directly. The result is a
// function of the set of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/operator/group_copies.h"
#include "engine/operator/split_adder.h"

namespace hdbench {

class GroupSums {
 public:
  explicit GroupSums(std::pmr::memory_resource& resource);

  void resize(std::size_t groups);
  // Value i to group batch.groups[i].
  void add(const double* values, const AggregateBatch& batch);
  // All of a block to one group. Requires: rows <= kSplitRowsMax.
  template <typename T>
  void add_run(std::uint32_t group, const SumBlock<T>& block) {
    nulls_[group] += runs_.add(block, sums_[group]);
  }
  void merge(GroupSums& other, std::span<const std::uint32_t> mapping);

  // Brings the exact sums up to date.
  void flush();
  // Requires: flush().
  const ExactSum& sum(std::uint32_t group) const { return sums_[group]; }
  std::uint64_t nulls(std::uint32_t group) const { return nulls_[group]; }

 private:
  struct Pair {
    double high = 0;
    double low = 0;
  };
  static void join(Pair& pair, const Pair& other) {
    pair.high += other.high;
    pair.low += other.low;
  }

  // At most kSplitAtOnce rows.
  void add_some(const double* values, const AggregateBatch& batch);
  void add_each(const double* values, const std::uint32_t* groups, std::size_t count);

  GroupCopies<Pair> pairs_;
  std::pmr::vector<ExactSum> sums_;
  std::pmr::vector<std::uint64_t> nulls_;
  SplitAdder runs_;
  BoundHint hint_;
  PendingGroups pending_;  // in pairs
};

}  // namespace hdbench

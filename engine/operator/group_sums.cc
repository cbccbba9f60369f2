#include "engine/operator/group_sums.h"

#include <algorithm>

namespace hdbench {
namespace {

// Values split at once: their pairs stay in the first-level cache.
constexpr std::size_t kSplitAtOnce = 1024;
// Of more groups the pairs are in no cache, and few rows share one.
constexpr std::size_t kPairedGroupsMax = std::size_t{1} << 16;
// Rows that a pair takes: few groups are flushed more often, and their values may differ more.
constexpr int kHeadroom = 16;
constexpr int kHeadroomOfMany = 20;

int headroom(std::size_t groups) {
  return groups <= GroupCopies<int>::kCopiedGroupsMax ? kHeadroom : kHeadroomOfMany;
}

}  // namespace

GroupSums::GroupSums(std::pmr::memory_resource& resource)
    : pairs_({}, resource), sums_(&resource), nulls_(&resource) {}

void GroupSums::resize(std::size_t groups) {
  if (groups == sums_.size()) return;
  const bool are_many = groups > kPairedGroupsMax;
  if (headroom(groups) != headroom(sums_.size()) || are_many) flush();
  // Sums last: there are as many as groups only once all else has room for these.
  if (!are_many) pairs_.resize(groups, join);
  nulls_.resize(groups, 0);
  while (sums_.size() < groups) sums_.emplace_back();
}

void GroupSums::add(const double* values, const AggregateBatch& batch) {
  if (sums_.size() > kPairedGroupsMax) return add_each(values, batch.groups, batch.count);
  for (std::size_t i = 0; i < batch.count; i += kSplitAtOnce) {
    const std::size_t count = std::min(kSplitAtOnce, batch.count - i);
    AggregateBatch some = batch;
    some.count = count;
    some.groups += i;
    some.group_rows_max = std::min(count, batch.group_rows_max);
    add_some(values + i, some);
  }
}

void GroupSums::add_some(const double* values, const AggregateBatch& batch) {
  const std::size_t count = batch.count;
  const std::uint32_t* const groups = batch.groups;
  if (pending_.rows + batch.group_rows_max > std::size_t{1} << headroom(sums_.size())) flush();
  SplitPairs split_result;
  alignas(64) double pairs[2 * kSplitAtOnce];
  for (int attempt = 0;; ++attempt) {
    split_result = split_pairs(values, count, hint_.bound(), headroom(sums_.size()), pairs);
    if (split_result.exact) break;
    // What is pending lies on the grid of the bound before.
    flush();
    if (attempt == 3 || !hint_.learn(split_result.greatest, has_null({values, count, nullptr}))) {
      return add_each(values, groups, count);
    }
  }
  pairs_.each(groups, count, [&](Pair& pair, std::size_t i) {
    pair.high += pairs[2 * i];
    pair.low += pairs[2 * i + 1];
  });
  pending_.add(batch.groups_begin, batch.groups_end, batch.group_rows_max);
  if (split_result.nulls == 0) return;
  for (std::size_t i = 0; i < count; ++i) nulls_[groups[i]] += values[i] != values[i] ? 1 : 0;
}

void GroupSums::add_each(const double* values, const std::uint32_t* groups, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (values[i] == values[i]) {
      sums_[groups[i]].add(values[i]);
    } else {
      ++nulls_[groups[i]];
    }
  }
}

void GroupSums::flush() {
  for (std::size_t g = pending_.begin; g < pending_.end; ++g) {
    const Pair pair = pairs_.take_out(g, join);
    sums_[g].add(pair.high);
    sums_[g].add(pair.low);
  }
  pending_ = {};
}

void GroupSums::merge(GroupSums& other, std::span<const std::uint32_t> mapping) {
  other.flush();
  for (std::size_t g = 0; g < mapping.size(); ++g) {
    sums_[mapping[g]].add(other.sums_[g]);
    nulls_[mapping[g]] += other.nulls_[g];
  }
}

}  // namespace hdbench

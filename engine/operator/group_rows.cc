#include "engine/operator/group_rows.h"

#include <algorithm>

namespace hdbench {
GroupRows::GroupRows(GroupRowNeeds needs, std::pmr::memory_resource& resource)
    : needs_(needs), counts_(&resource), first_rows_(&resource), last_rows_(&resource) {}

void GroupRows::resize(std::size_t groups) {
  if (needs_.counts) counts_.resize(groups, 0);
  if (needs_.first) first_rows_.resize(groups, UINT64_MAX);
  if (needs_.last) last_rows_.resize(groups, 0);
}

std::size_t GroupRows::note(const RowBatch& batch) {
  if (needs_.counts && batch.groups_end - batch.groups_begin <= kFewGroups) return note_few(batch);
  note_many(batch);
  return batch.count;
}

std::size_t GroupRows::note_few(const RowBatch& batch) {
  const std::uint32_t* const groups = batch.groups;
  const auto begin = static_cast<std::uint32_t>(batch.groups_begin);
  std::size_t i = 0;
  for (; i + kCopies <= batch.count; i += kCopies) {
    ++batch_counts_[0][groups[i] - begin];
    ++batch_counts_[1][groups[i + 1] - begin];
    ++batch_counts_[2][groups[i + 2] - begin];
    ++batch_counts_[3][groups[i + 3] - begin];
  }
  for (; i < batch.count; ++i) ++batch_counts_[0][groups[i] - begin];
  std::size_t most = 0;
  std::size_t present = 0;
  for (std::size_t g = 0; g < batch.groups_end - batch.groups_begin; ++g) {
    std::size_t count = 0;
    for (auto& copy : batch_counts_) {
      count += copy[g];
      copy[g] = 0;
    }
    batch_rows_[g] = count == 0 ? kDone : kWanted;
    if (count == 0) continue;
    most = std::max(most, count);
    counts_[begin + g] += count;
    ++present;
  }
  if (needs_.last) note_last(batch, present);
  if (needs_.first) note_first(batch, present);
  return most;
}

// From the end, until every group has been met.
void GroupRows::note_last(const RowBatch& batch, std::size_t present) {
  for (std::size_t i = batch.count; present != 0; --present) {
    while (batch_rows_[batch.groups[--i] - batch.groups_begin] != kWanted) {
    }
    const std::uint32_t group = batch.groups[i];
    batch_rows_[group - batch.groups_begin] = kMet;
    last_rows_[group] = std::max(last_rows_[group], batch.base + batch.position(i));
  }
}

void GroupRows::note_first(const RowBatch& batch, std::size_t present) {
  const std::uint8_t wanted = needs_.last ? kMet : kWanted;
  std::size_t i = 0;
  for (; present != 0; --present, ++i) {
    while (batch_rows_[batch.groups[i] - batch.groups_begin] != wanted) ++i;
    const std::uint32_t group = batch.groups[i];
    batch_rows_[group - batch.groups_begin] = kDone;
    first_rows_[group] = std::min(first_rows_[group], batch.base + batch.position(i));
  }
}

void GroupRows::note_many(const RowBatch& batch) {
  if (needs_.counts) {
    for (std::size_t i = 0; i < batch.count; ++i) ++counts_[batch.groups[i]];
  }
  if (needs_.last) {
    for (std::size_t i = 0; i < batch.count; ++i) {
      std::uint64_t& last = last_rows_[batch.groups[i]];
      last = std::max(last, batch.base + batch.position(i));
    }
  }
  if (needs_.first) {
    for (std::size_t i = 0; i < batch.count; ++i) {
      std::uint64_t& first = first_rows_[batch.groups[i]];
      first = std::min(first, batch.base + batch.position(i));
    }
  }
}

void GroupRows::note_rows(const std::uint32_t* groups, std::size_t count,
                          const std::uint64_t* rows) {
  if (needs_.counts) {
    for (std::size_t i = 0; i < count; ++i) ++counts_[groups[i]];
  }
  if (needs_.last) {
    for (std::size_t i = 0; i < count; ++i)
      last_rows_[groups[i]] = std::max(last_rows_[groups[i]], rows[i]);
  }
  if (needs_.first) {
    for (std::size_t i = 0; i < count; ++i)
      first_rows_[groups[i]] = std::min(first_rows_[groups[i]], rows[i]);
  }
}

void GroupRows::note_run(std::uint32_t group, std::uint64_t count, std::uint64_t first,
                         std::uint64_t last) {
  if (needs_.counts) counts_[group] += count;
  if (needs_.first) first_rows_[group] = std::min(first_rows_[group], first);
  if (needs_.last) last_rows_[group] = std::max(last_rows_[group], last);
}

void GroupRows::merge(const GroupRows& other, std::span<const std::uint32_t> mapping) {
  for (std::size_t g = 0; g < mapping.size(); ++g) {
    const std::uint32_t to = mapping[g];
    if (needs_.counts) counts_[to] += other.counts_[g];
    if (needs_.first) first_rows_[to] = std::min(first_rows_[to], other.first_rows_[g]);
    if (needs_.last) last_rows_[to] = std::max(last_rows_[to], other.last_rows_[g]);
  }
}

}  // namespace hdbench

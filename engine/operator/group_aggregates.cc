#include "engine/operator/group_aggregates.h"

#include <algorithm>
#include <cstring>

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
  note_each(batch.groups, batch.count,
            [&batch](std::size_t i) { return batch.base + batch.position(i); });
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

template <typename RowOf>
void GroupRows::note_each(const std::uint32_t* groups, std::size_t count, const RowOf& row_of) {
  if (needs_.counts) {
    for (std::size_t i = 0; i < count; ++i) ++counts_[groups[i]];
  }
  if (needs_.last) {
    for (std::size_t i = 0; i < count; ++i)
      last_rows_[groups[i]] = std::max(last_rows_[groups[i]], row_of(i));
  }
  if (needs_.first) {
    for (std::size_t i = 0; i < count; ++i)
      first_rows_[groups[i]] = std::min(first_rows_[groups[i]], row_of(i));
  }
}

void GroupRows::note_rows(const std::uint32_t* groups, std::size_t count,
                          const std::uint64_t* rows) {
  note_each(groups, count, [rows](std::size_t i) { return rows[i]; });
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

void GroupAggregates::resize(std::size_t groups) {
  if (groups == group_count_) return;
  rows_.resize(groups);
  for (const auto& aggregator : aggregators_) {
    if (aggregator) aggregator->resize(groups);
  }
  group_count_ = groups;  // last: a limit may refuse a part of the space
}

void GroupAggregates::merge(GroupAggregates& other, std::span<const std::uint32_t> mapping) {
  if (is_first_pass()) rows_.merge(other.rows_, mapping);
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    if (active(o) != nullptr) active(o)->merge(*other.aggregators_[o], mapping);
  }
}

void GroupAggregates::save(std::span<const std::uint32_t> order, ByteSink& out) {
  for (const auto& aggregator : aggregators_) {
    if (aggregator != nullptr) aggregator->save(order, out);
  }
}

void GroupAggregates::add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) {
  for (const auto& aggregator : aggregators_) {
    if (aggregator != nullptr) aggregator->add_saved(in, mapping);
  }
}

bool GroupAggregates::needs_second_pass() const {
  return std::any_of(aggregators_.begin(), aggregators_.end(), [](const auto& aggregator) {
    return aggregator != nullptr && aggregator->needs_second_pass();
  });
}

void GroupAggregates::begin_second_pass(const GroupAggregates& merged) {
  in_second_pass_.assign(aggregators_.size(), false);
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    if (!aggregators_[o] || !aggregators_[o]->needs_second_pass()) continue;
    in_second_pass_[o] = true;
    aggregators_[o]->begin_second_pass(*merged.aggregators_[o]);
  }
}

ResultColumn GroupAggregates::finish(std::size_t number, const Output& output, QType type,
                                     std::span<const std::uint32_t> order, ThreadPool* pool,
                                     std::pmr::memory_resource& resource) const {
  const QType shown = aggregate_type(output.aggregate, type);
  ResultColumn column{output.name, shown, type_width(shown), {}, nullptr};
  column.buffer = Buffer(resource, order.size() * column.width);
  std::byte* const out = column.buffer.data();
  Aggregator* const aggregator = aggregators_[number].get();
  if (aggregator == nullptr) {
    const std::span<const std::uint64_t> numbers =
        output.aggregate == Aggregate::kCount ? rows_.counts() : rows_.first_rows();
    for (std::size_t i = 0; i < order.size(); ++i)
      std::memcpy(out + i * sizeof(numbers[0]), &numbers[order[i]], sizeof(numbers[0]));
    return column;
  }
  finish_groups(*aggregator, order, rows_.counts(), column.width, out, pool);
  column.wrapped = aggregator->wrapped();
  // Of no rows the least of booleans is none.
  for (std::size_t i = 0; output.aggregate == Aggregate::kAll && i < order.size(); ++i)
    out[i] &= std::byte{1};
  return column;
}

}  // namespace hdbench

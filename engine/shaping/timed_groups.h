// Keys of the two sides of a join as words that compare, and right rows by key and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/operator/query_context.h"
#include "engine/shaping/row_keys.h"

namespace hdbench {

// For each code of `from` that of the same symbol in `to`; where it has none, a number below zero
// of its own.
std::vector<std::int64_t> translated_codes(const Domain& from, const Domain& to);

// The words of the keys, of which symbols are codes of the right side's domains.
std::vector<Words> key_words(const ResultTable& table, std::span<const std::size_t> keys,
                             const ResultTable& right, std::span<const std::size_t> right_keys,
                             const QueryContext& context);

// Rows of a group lie together, in the order of their times; equal times in that of the table.
class TimedGroups {
 public:
  // Without keys all rows are one group. The words and the context must outlive this. Throws
  // WorkspaceLimit.
  TimedGroups(std::span<const Words> keys, const Words& times, QueryContext& context);

  // The group with the keys that row `row` of other words has, or RowGroups::kNone.
  std::uint32_t group_of(std::span<const Words> keys, std::size_t row) const {
    return groups_ ? groups_->find(keys, row) : 0;
  }
  std::size_t begin_of(std::size_t group) const {
    return group == 0 ? 0 : static_cast<std::size_t>(ends_[group - 1]);
  }
  // The place behind the group's last row whose time is at most this one. `hint`: where it was
  // found last, or 0: mostly it is a little further on.
  std::size_t place_behind(std::uint32_t group, std::int64_t time, std::size_t& hint) const;

  std::uint32_t row_at(std::size_t place) const {
    return order_.empty() ? static_cast<std::uint32_t>(place) : order_[place];
  }
  std::int64_t time_at(std::size_t place) const { return times_[row_at(place)]; }
  // The rows by place; empty: as they are.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  void sort_groups(const QueryContext& context);

  const Words& times_;
  std::optional<RowGroups> groups_;
  std::pmr::vector<std::uint32_t> order_;
  std::pmr::vector<std::uint64_t> ends_;
};

}  // namespace hdbench

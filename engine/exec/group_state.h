// Groups and their state: key, rows, partial aggregates.
//
// Groups are numbered in order of first appearance, or by slot where keys address a small table
// (GroupIndex); settle() then numbers the slots that have rows. Memory comes from the query's
// workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "engine/exec/group_task.h"
#include "engine/operator/aggregator.h"
#include "engine/operator/group_index.h"
#include "engine/operator/group_rows.h"

namespace hdbench {

enum class Numbering : std::uint8_t { kByAppearance, kBySlot };

class GroupState {
 public:
  // cardinalities: for the index (word_cardinalities(), or zeros to have keys hashed).
  GroupState(const GroupTask& task, std::span<const std::uint64_t> cardinalities,
             GroupRowNeeds needs, std::pmr::memory_resource& resource);

  // One for each output that has one. Not before the index has its slots.
  void make_aggregators(Numbering numbering);
  // Room for so many groups, new ones being empty.
  void resize(std::size_t groups);
  std::size_t group_count() const { return group_count_; }

  // Numbers the slots that have rows, and the group without a key even if it has none. Requires:
  // Numbering::kBySlot, counts of rows; nothing is added after this.
  void settle();
  // The index of a group in rows() and in the aggregators.
  std::uint32_t place(std::uint32_t group) const {
    return places_.empty() ? group : places_[group];
  }

  GroupIndex& index() { return index_; }
  const GroupIndex& index() const { return index_; }
  GroupRows& rows() { return rows_; }
  const GroupRows& rows() const { return rows_; }
  // By output; null where none is needed.
  std::span<const std::unique_ptr<Aggregator>> aggregators() const { return aggregators_; }

 private:
  std::uint64_t codes_of(const Output& output) const;

  const GroupTask& task_;
  std::pmr::memory_resource& resource_;
  GroupIndex index_;
  GroupRows rows_;
  std::vector<std::unique_ptr<Aggregator>> aggregators_;
  std::size_t group_count_ = 0;
  std::pmr::vector<std::uint32_t> places_;  // by group, where groups are numbered by slot
};

}  // namespace hdbench

// Several copies of each group's state, for few groups: consecutive rows update different copies,
// so that no row waits until the previous row's update of the same state is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace hdbench {

template <typename State>
class GroupCopies {
 public:
  static constexpr std::size_t kCopies = 4;
  static constexpr std::size_t kCopiedGroupsMax = 4096;

  GroupCopies(const State& empty, std::pmr::memory_resource& resource)
      : empty_(empty), states_(&resource) {}

  // join(state, other) adds one state to another; used where groups become too many for copies.
  template <typename Join>
  void resize(std::size_t groups, const Join& join) {
    if (groups > kCopiedGroupsMax && copies_ != 1) {
      for (std::size_t g = 0; g < groups_; ++g) states_[g] = joined(g, join);
      copies_ = 1;
      states_.resize(groups_, empty_);
    }
    states_.resize(groups * copies_, empty_);
    groups_ = groups;
  }

  // Calls take(state, row) for each of `count` rows.
  template <typename Take>
  void each(const std::uint32_t* groups, std::size_t count, const Take& take) {
    State* const states = states_.data();
    if (copies_ == 1) {
      for (std::size_t i = 0; i < count; ++i) take(states[groups[i]], i);
      return;
    }
    std::size_t i = 0;
    for (; i + kCopies <= count; i += kCopies) {
      take(states[groups[i] * kCopies], i);
      take(states[groups[i + 1] * kCopies + 1], i + 1);
      take(states[groups[i + 2] * kCopies + 2], i + 2);
      take(states[groups[i + 3] * kCopies + 3], i + 3);
    }
    for (; i < count; ++i) take(states[groups[i] * kCopies], i);
  }

  // State c of group g is states()[g * copies() + c].
  State* states() { return states_.data(); }
  std::size_t copies() const { return copies_; }

  State& first(std::size_t group) { return states_[group * copies_]; }

  // All of a group's copies as one.
  template <typename Join>
  State joined(std::size_t group, const Join& join) const {
    State state = states_[group * copies_];
    for (std::size_t c = 1; c < copies_; ++c) join(state, states_[group * copies_ + c]);
    return state;
  }

  // The same, and the group is empty again.
  template <typename Join>
  State take_out(std::size_t group, const Join& join) {
    const State state = joined(group, join);
    for (std::size_t c = 0; c < copies_; ++c) states_[group * copies_ + c] = empty_;
    return state;
  }

 private:
  State empty_;
  std::size_t groups_ = 0;
  std::size_t copies_ = kCopies;
  std::pmr::vector<State> states_;
};

// Groups whose states hold something that is to be taken out.
struct PendingGroups {
  std::size_t begin = SIZE_MAX;
  std::size_t end = 0;
  std::size_t rows = 0;  // of one group, at most

  void add(std::size_t groups_begin, std::size_t groups_end, std::size_t group_rows) {
    begin = begin < groups_begin ? begin : groups_begin;
    end = end > groups_end ? end : groups_end;
    rows += group_rows;
  }
};

}  // namespace hdbench

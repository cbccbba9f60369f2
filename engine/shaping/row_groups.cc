#include "engine/shaping/row_groups.h"

#include <algorithm>
#include <numeric>

#include "engine/base/check.h"

namespace hdbench {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::int64_t word) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  hash = (hash ^ static_cast<std::uint64_t>(word)) * kOdd;
  return hash ^ hash >> 32;
}

bool is_equal(std::span<const Words> a, std::size_t row_of_a, std::span<const Words> b,
              std::size_t row_of_b) {
  for (std::size_t column = 0; column < a.size(); ++column) {
    if (a[column][row_of_a] != b[column][row_of_b]) return false;
  }
  return true;
}

template <typename Value>
void pass(AccessLog& accesses, std::span<const Value> values, AccessKind kind) {
  accesses.pass(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes(), kind);
}

}  // namespace

RowGroups::RowGroups(std::span<const Words> keys, std::pmr::memory_resource& resource,
                     AccessLog& accesses)
    : keys_(keys),
      accesses_(accesses),
      slots_(&resource),
      groups_(&resource),
      first_rows_(&resource) {
  HDB_CHECK(!keys.empty(), "a key has a column");
  const std::size_t rows = keys.front().size();
  groups_.resize(rows);
  constexpr std::size_t kSlotsMin = 64;
  slots_.assign(kSlotsMin, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    // Equal keys are often neighbours.
    if (row != 0 && is_equal(keys, row, keys, row - 1)) {
      groups_[row] = groups_[row - 1];
      continue;
    }
    std::size_t slot = slot_of(keys, row);
    if (slots_[slot] == 0) {
      first_rows_.push_back(static_cast<std::uint32_t>(row));
      slots_[slot] = count();
      groups_[row] = count() - 1;
      if (first_rows_.size() * 2 > slots_.size()) {
        slots_.assign(slots_.size() * 4, 0);
        for (std::uint32_t group = 0; group < count(); ++group)
          slots_[slot_of(keys, first_rows_[group])] = group + 1;
      }
      continue;
    }
    groups_[row] = slots_[slot] - 1;
  }
  pass(accesses_, groups(), AccessKind::kWrite);
}

std::uint32_t RowGroups::find(std::span<const Words> keys, std::size_t row) const {
  return slots_[slot_of(keys, row)] - 1;  // of a free slot kNone
}

// The slot that has the key, or the free one where it would be put.
std::size_t RowGroups::slot_of(std::span<const Words> keys, std::size_t row) const {
  std::uint64_t hash = 0;
  for (const Words& column : keys) hash = mixed(hash, column[row]);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot] != 0 && !is_equal(keys, row, keys_, first_rows_[slots_[slot] - 1]))
    slot = (slot + 1) & mask;
  if (accesses_.has_meter()) note_place(slot);
  return slot;
}

void RowGroups::note_place(std::size_t slot) const {
  const std::span<const std::uint32_t> slots = slots_;
  pass(accesses_, slots.subspan(slot, 1), AccessKind::kRead);
  if (slots_[slot] == 0) return;
  const std::span<const std::uint32_t> rows = first_rows();
  const std::size_t row = rows[slots_[slot] - 1];
  for (const Words& column : keys_)
    pass(accesses_, std::span<const std::int64_t>(column).subspan(row, 1), AccessKind::kRead);
}

RowSegments make_segments(const RowGroups& keys, std::pmr::memory_resource& resource,
                          AccessLog& accesses) {
  RowSegments segments{std::pmr::vector<std::uint32_t>(&resource),
                       std::pmr::vector<std::uint64_t>(&resource)};
  const std::span<const std::uint32_t> groups = keys.groups();
  std::pmr::vector<std::uint64_t>& ends = segments.ends;
  ends.assign(keys.count(), 0);
  std::size_t runs = 0;
  for (std::size_t row = 0; row < groups.size(); ++row) {
    ++ends[groups[row]];
    runs += row == 0 || groups[row] != groups[row - 1];
  }
  pass(accesses, groups, AccessKind::kRead);
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  // Rows of one key are neighbours (as behind p#): they are in order.
  if (runs == ends.size()) return segments;
  std::pmr::vector<std::uint64_t> next(ends.size(), 0, &resource);
  std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
  segments.order.resize(groups.size());
  for (std::size_t row = 0; row < groups.size(); ++row)
    segments.order[next[groups[row]]++] = static_cast<std::uint32_t>(row);
  pass(accesses, std::span<const std::uint32_t>(segments.order), AccessKind::kWrite);
  return segments;
}

}  // namespace hdbench

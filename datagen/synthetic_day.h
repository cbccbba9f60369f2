// A day by rule: its rows repeat, so that compressed columns of any length take little room, and
// its row counts are exact.
//
// The selected rows come first, the others after them. Of both, row i has the values of row i mod
// kCycleRows of a day that is not synthetic, but for its symbols, which have all of the day's
// combinations; only the time rises, a step every kTimeRows rows. A parted day is the same rows,
// stably in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datagen/day_counts.h"
#include "datagen/layout.h"
#include "engine/column/column.h"

namespace hdbench::datagen {

class SyntheticDay {
 public:
  static constexpr std::uint64_t kCycleRows = 64;
  static constexpr std::uint64_t kTimeRows = 1 << 14;
  static_assert(kCycleRows <= kSelectedMin, "the smallest day has every combination of symbols");

  // parted: the symbol column of the paper's table that the day is ordered by; empty: time order.
  // Rows are numbered in 64 bits: a day may have any count of them.
  SyntheticDay(std::uint64_t seed, const DayCount& day, std::string_view parted);

  // Of a parted day; else without keys.
  const PartedIndex& index() const { return index_; }

  // Writes the column's elements of `count` rows from place `first` on, little-endian.
  // Requires: a column of the paper's table; out has space for them and is 8-byte aligned.
  void fill(const ColumnPlan& column, std::uint64_t first, std::size_t count,
            std::span<std::byte> out) const;

 private:
  // Places whose rows are, cycle after cycle from `first_row` on, those of `cycle` in each.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t first_row = 0;
    bool is_selected = true;
    std::vector<std::uint32_t> cycle;
  };

  void add_run(bool is_selected, std::vector<std::uint32_t> cycle);
  void fill_run(const Run& run, const ColumnPlan& column, std::uint64_t first,
                std::span<std::int64_t> out) const;

  std::uint64_t seed_;
  DayCount day_;
  std::vector<Run> runs_;
  PartedIndex index_;
};

}  // namespace hdbench::datagen

// Computes the rows that each of the paper's eleven queries returns over a generated database.
//
// The day counts and the classes of rows determine the result; no row is read. A range query that
// groups by date returns a row per date and group as printed in the paper (`within`), and those of
// the range's two end dates as counted there (`date in`): see paper.q and paper-counted.q.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "datagen/day_counts.h"

namespace hdbench::datagen {

struct QueryCount {
  std::uint32_t id = 0;
  std::uint64_t as_printed = 0;
  std::uint64_t as_counted = 0;
};

// Requires: the days of a paper profile.
std::array<QueryCount, 11> paper_query_counts(std::span<const DayCount> days);

}  // namespace hdbench::datagen

// Computes each day's row count: spreads the published totals over the trading days.
//
// The counts at scale 1 belong to the profile and do not depend on the seed.
#pragma once

#include <cstdint>
#include <vector>

#include "datagen/spec.h"

namespace hdbench::datagen {

// selected: rows with col3 one of val1, val2, val3 (taq: quotes). others: rows with another col3.
struct DayCount {
  std::int32_t date = 0;  // days since 2000.01.01
  std::uint64_t selected = 0;
  std::uint64_t others = 0;

  std::uint64_t rows() const { return selected + others; }
};

// The fewest rows of a day at any scale, so that every combination of symbols stays present.
constexpr std::uint64_t kSelectedMin = 64;
constexpr std::uint64_t kOthersMin = 8;

// The days of spec's profile in rising order, each count rounded to count * scale.
std::vector<DayCount> day_counts(const Spec& spec);

}  // namespace hdbench::datagen

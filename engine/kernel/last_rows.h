// The last row of each group, by scanning ids backwards: a row counts if no later row of the same
// group was seen. With few groups almost every word of 64 rows is skipped after a few vector
// compares.
//
// One loop over plain arrays: allocates nothing, cannot fail. Compiled for each vector instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// The groups that a scan has met.
struct FoundGroups {
  static constexpr std::size_t kMax = 16;
  std::size_t count = 0;
  std::uint32_t ids[kMax];
  std::uint32_t rows[kMax];  // the highest row of each
  // The kernel's own: each id over a whole vector.
  alignas(64) std::byte repeated[kMax][64];
};

struct IdWords {
  std::uint32_t width = 1;  // of an id: 1, 2 or 4 bytes
  const std::byte* ids = nullptr;
  const std::uint64_t* bits = nullptr;
  std::size_t words = 0;
};

// Scans words [0, words) from the last to the first; for each id among the selected rows, sets
// `found` to it and its highest row. Returns how many words are left whose groups were not looked
// for: 0, or the number of leading words when more than kMax groups were met.
std::size_t find_last_rows(const IdWords& source, FoundGroups& found);

}  // namespace hdbench

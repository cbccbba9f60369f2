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

// The groups met so far in one backward scan.
struct FoundGroups {
  static constexpr std::size_t kMax = 16;
  std::size_t count = 0;
  std::uint32_t ids[kMax];
  std::uint32_t rows[kMax];  // the highest row of each
  // The kernel's own: each id over a whole vector.
  alignas(64) std::byte repeated[kMax][64];
};

// Scans words [0, words) of ids (1, 2 or 4 bytes wide) from the last to the first; for each id
// among the selected rows that `found` lacks, adds it with its highest row, counted from
// `first_row`. Returns how many words are left whose groups were not looked for: 0, or the number
// of leading words when more than kMax groups were met. Requires: one width in all scans of one
// `found`.
struct IdWords {
  std::uint32_t width = 1;
  const std::byte* ids = nullptr;
  const std::uint64_t* bits = nullptr;
  std::size_t words = 0;
  // What is read from memory after this (null: nothing). While words are passed over in blocks of
  // 8, the line of each is fetched: from the last word on the first.
  const std::byte* next = nullptr;
};
std::size_t find_last_rows(const IdWords& source, std::uint32_t first_row, FoundGroups& found);

// Groups by the values of one or two columns: group k has values[c][k] in column c.
constexpr std::size_t kKnownMax = 4;
struct KnownGroups {
  std::size_t count = 0;  // 1 to kKnownMax when a kernel is asked
  std::uint32_t values[2][kKnownMax] = {};
};

// Words of 64 rows of one or two stored columns of the same width: 1, 2, 4 or 8 bytes. Values are
// unsigned; an 8-byte value that does not fit into a group's 4 bytes belongs to no group.
struct KeyWords {
  std::uint32_t width = 1;
  const std::byte* columns[2] = {};  // the second null where there is but one
  const std::uint64_t* bits = nullptr;
  std::size_t words = 0;
  // What is read from memory after these, or null.
  const std::byte* next = nullptr;
};

// Returns whether every selected row belongs to one of the groups. Reads columns front to back, the
// fastest order for memory, and writes nothing. The columns and `next` are prefetched
// (fetch_ahead.h). Stops at a block of words with another group.
bool all_known(const KeyWords& source, const KnownGroups& known);

// rows[k]: the highest selected row of group k, kNoRow where it has none. Scans backwards until all
// are found: a few words, where all_known() and groups that are often met.
constexpr std::uint32_t kNoRow = UINT32_MAX;
void last_known_rows(const KeyWords& source, const KnownGroups& known,
                     std::uint32_t (&rows)[kKnownMax]);

}  // namespace hdbench

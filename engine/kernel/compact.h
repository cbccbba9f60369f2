// Compact: packs the selected elements of a vector. The gather step of every `select`.
//
// One loop over plain arrays: allocates nothing, cannot fail. Compiled for each vector instruction
// set. Elements are packed in a buffer and stored in whole lines, so that a large result can bypass
// the caches, which saves reading lines that are about to be overwritten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

enum class Stores : std::uint8_t { kCached, kPastCaches };

struct CompactSource {
  std::uint32_t width = 8;  // of an element: 1, 2, 4, 8 or 16 bytes; no alignment is needed
  const std::byte* values = nullptr;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;  // null: all rows
};

struct Compacted {
  std::size_t count = 0;
  // The highest element, unsigned, of widths up to 8; 0 when there is none.
  std::uint64_t highest = 0;
};

// Copies the elements whose bit is set to `packed`, in order. Requires: `packed` lies at a multiple
// of the width and has space for exactly the set bits or more; nothing beyond them is written, so
// that neighbours may write side by side. What went past the caches is fenced on return.
Compacted compact(const CompactSource& source, std::byte* packed, Stores stores);

}  // namespace hdbench

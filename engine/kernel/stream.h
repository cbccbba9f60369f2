// Streams: sequential passes over memory at full speed, to measure a machine's ceilings.
//
// A kernel is one loop over plain arrays: it allocates nothing and cannot fail. Compiled for each
// vector instruction set (Highway); the best one is chosen at run time. Arrays begin on a 64-byte
// boundary and have any number of words. Arithmetic wraps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench {

// kLinear: front to back. kEightPages: eight neighbouring pages in turn, a line of each;
// prefetchers stop at the end of a page, and eight active ones have more lines in flight. kFetched,
// for sums only: front to back, with each line prefetched 1 KiB ahead. Which one is fastest depends
// on the machine.
enum class StreamOrder : std::uint8_t { kLinear, kEightPages, kFetched };

// kNonTemporal goes past the caches and is finished (fenced) when the kernel returns.
enum class StoreKind : std::uint8_t { kNormal, kNonTemporal };

// The sum of all words.
std::uint64_t stream_sum(std::span<const std::uint64_t> words, StreamOrder order);

void stream_fill(std::span<std::uint64_t> words, std::uint64_t value, StoreKind stores);

// Requires: to.size() == from.size(), no overlap, and not kFetched.
void stream_copy(std::span<const std::uint64_t> from, std::span<std::uint64_t> to,
                 StreamOrder order, StoreKind stores);

}  // namespace hdbench

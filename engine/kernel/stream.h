// Streams: plain passes over memory, as fast as it goes. What this machine's memory can do at best.
//
// A kernel is one loop over plain arrays: it allocates nothing and cannot fail. Each exists once a
// vector instruction set (Highway) and the best one is chosen at run time. Arrays begin on a
// 64-byte boundary; any number of words will do. Arithmetic wraps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench {

// kLinear: from front to back. kEightPages: eight neighbouring pages at a time, a line of each in
// turn: prefetchers stop at a page's end, and eight of them at work have more lines in flight.
// kFetched, for sums alone: from front to back, each line asked for 1 KiB before it is needed.
// Which one is fastest depends on the machine.
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

// Accesses lines of memory in an order that no prefetcher predicts: dependent (a pointer chase) or
// independent (a gather).
//
// The number of lines is a power of two. Their order is a linear congruential generator of full
// period (Hull and Dobell): every line once before any repeats, without a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernel/selection.h"

namespace hdbench::bench {

inline constexpr std::size_t kLineWords = kLineBytes / sizeof(std::uint64_t);

// The largest power of two of lines in so many words; 0 where there is no line.
std::size_t walked_lines(std::size_t words);

// Sets words [begin, end): the first word of every walked line of `words` to the number of its
// successor, and every other word to its own index. Returns the sum of these words, wrapping.
std::uint64_t link_lines(std::span<std::uint64_t> words, std::size_t begin, std::size_t end);

// A line to start a walk from, another one for each number, of so many lines.
std::uint64_t start_line(std::size_t number, std::size_t lines);

// The line `hops` after line `from`, each found in the line before it. Requires: link_lines() of
// all words, a line.
std::uint64_t chase(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t hops);
// The result that chase() must give, computed without memory.
std::uint64_t chase_expected(std::size_t lines, std::uint64_t from, std::size_t hops);

// The sum of the first words of `count` lines, drawn one after the other from line `from` on, in
// another order than the chase's and independent of what is read. Requires: as chase().
std::uint64_t gather(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t count);
std::uint64_t gather_expected(std::size_t lines, std::uint64_t from, std::size_t count);

}  // namespace hdbench::bench

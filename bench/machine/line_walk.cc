#include "bench/machine/line_walk.h"

#include <bit>

namespace hdbench::bench {
namespace {

// Full period modulo any power of two: the multiplier is 1 modulo 4, the increment odd.
std::uint64_t next_in_chase(std::uint64_t line, std::uint64_t mask) {
  return (line * 6364136223846793005u + 1442695040888963407u) & mask;
}

std::uint64_t next_in_gather(std::uint64_t line, std::uint64_t mask) {
  return (line * 2862933555777941757u + 3037000493u) & mask;
}

// How far the gather asks ahead: more lines than any core keeps in flight.
constexpr std::size_t kAhead = 64;

}  // namespace

std::size_t walked_lines(std::size_t words) { return std::bit_floor(words / kLineWords); }

std::uint64_t link_lines(std::span<std::uint64_t> words, std::size_t begin, std::size_t end) {
  const std::uint64_t lines = walked_lines(words.size());
  std::uint64_t sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t line = i / kLineWords;
    const bool links = i % kLineWords == 0 && line < lines;
    words[i] = links ? next_in_chase(line, lines - 1) : i;
    sum += words[i];
  }
  return sum;
}

std::uint64_t start_line(std::size_t number, std::size_t lines) {
  return (number * 0x9e3779b97f4a7c15u >> 8) & (lines - 1);
}

std::uint64_t chase(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t hops) {
  const std::uint64_t* first = words.data();
  std::uint64_t line = from;
  for (std::size_t hop = 0; hop < hops; ++hop) line = first[line * kLineWords];
  return line;
}

std::uint64_t chase_expected(std::size_t lines, std::uint64_t from, std::size_t hops) {
  std::uint64_t line = from;
  for (std::size_t hop = 0; hop < hops; ++hop) line = next_in_chase(line, lines - 1);
  return line;
}

std::uint64_t gather(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t count) {
  const std::uint64_t* first = words.data();
  const std::uint64_t mask = walked_lines(words.size()) - 1;
  std::uint64_t asked[kAhead];
  std::uint64_t line = from;
  for (std::uint64_t& ahead : asked) {
    ahead = line;
    __builtin_prefetch(first + line * kLineWords);
    line = next_in_gather(line, mask);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& ahead = asked[i % kAhead];
    sum += first[ahead * kLineWords];
    ahead = line;
    __builtin_prefetch(first + line * kLineWords);
    line = next_in_gather(line, mask);
  }
  return sum;
}

std::uint64_t gather_expected(std::size_t lines, std::uint64_t from, std::size_t count) {
  std::uint64_t sum = 0;
  std::uint64_t line = from;
  for (std::size_t i = 0; i < count; ++i) {
    sum += next_in_chase(line, lines - 1);
    line = next_in_gather(line, lines - 1);
  }
  return sum;
}

}  // namespace hdbench::bench

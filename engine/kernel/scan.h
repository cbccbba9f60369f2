// Scans: test plain values and write a bitmap. The first step of every filter.
//
// A kernel is one loop over plain arrays. It allocates nothing, calls nothing virtual and cannot
// fail: its caller has checked the arguments. Values need no alignment. `narrow` false: bits are
// written (the tail of the last word zero); true: bits are and-ed, and words that are already zero
// are not read. Compiled for each vector instruction set (Highway); the best one is chosen at run
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hdbench {

struct ScanTarget {
  std::uint64_t* bits = nullptr;  // words_for(rows) words
  std::size_t rows = 0;
  bool narrow = false;
  bool negated = false;  // keep what fails the test
};

// How a vector's elements are to be read.
enum class ScanType : std::uint8_t { kU8, kI16, kI32, kI64, kF32, kF64 };

// low <= order key <= high (order_key.h); narrower types compare with the part of the range that
// they can hold.
void scan_range(ScanType type, const std::byte* values, std::int64_t low, std::int64_t high,
                const ScanTarget& target);

// The order key is one of `keys` (rising). Up to kSmallSet keys run as vector compares, more as a
// binary search.
constexpr std::size_t kSmallSet = 8;
void scan_set(ScanType type, const std::byte* values, std::span<const std::int64_t> keys,
              const ScanTarget& target);

// Symbol codes of 1, 2, 4 or 8 bytes, unsigned: member of `codes` when there are at most kSmallSet,
// else member[code] != 0. Codes beyond `member` count as no member. Returns the highest code that
// was looked at (0 when none was), so that the caller can refuse codes outside the domain.
std::uint64_t scan_codes(std::uint32_t width, const std::byte* values,
                         std::span<const std::uint64_t> codes, std::span<const std::uint8_t> member,
                         const ScanTarget& target);

// The highest of `count` codes of `width` 1, 2, 4 or 8 bytes; 0 when there is none.
std::uint64_t max_code(std::uint32_t width, const std::byte* values, std::size_t count);

}  // namespace hdbench

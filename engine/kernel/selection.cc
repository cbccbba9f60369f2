#include "engine/kernel/selection.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/selection.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Lanes of T that are not zero; the words are whole lanes of every type.
template <typename T>
std::size_t count_lanes(const std::uint64_t* bits, std::size_t words) {
  const auto* lanes = reinterpret_cast<const T*>(bits);
  const std::size_t total = words * (kWordRows / 8 / sizeof(T));
  const hn::ScalableTag<T> d;
  const std::size_t step = hn::Lanes(d);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + step <= total; i += step) {
    count += hn::CountTrue(d, hn::Ne(hn::LoadU(d, lanes + i), hn::Zero(d)));
  }
  for (; i < total; ++i) {
    T lane;
    std::memcpy(&lane, lanes + i, sizeof(lane));
    count += lane != 0 ? 1 : 0;
  }
  return count;
}

}  // namespace

std::size_t CountBits(const std::uint64_t* bits, std::size_t words) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::size_t>(std::popcount(bits[w]));
  return count;
}

// Lines that hold a selected element of `width` bytes: 64 / width bits each.
std::size_t CountLines(const std::uint64_t* bits, std::size_t words, std::uint32_t width) {
  switch (width) {
    case 1: return count_lanes<std::uint64_t>(bits, words);
    case 2: return count_lanes<std::uint32_t>(bits, words);
    case 4: return count_lanes<std::uint16_t>(bits, words);
    case 8: return count_lanes<std::uint8_t>(bits, words);
    default: break;
  }
  std::size_t lines = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t word = bits[w] | bits[w] >> 1;
    word = (word | word >> 2) & 0x1111111111111111u;
    lines += static_cast<std::size_t>(std::popcount(word));
  }
  return lines;
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(CountBits);
HWY_EXPORT(CountLines);

std::size_t count_bits(const std::uint64_t* bits, std::size_t words) {
  return HWY_DYNAMIC_DISPATCH(CountBits)(bits, words);
}

std::uint64_t touched_bytes(const SelectionShape& selection, std::uint32_t width) {
  HDB_DCHECK(width <= 16, "an element is 1, 2, 4, 8 or 16 bytes wide");
  const std::size_t lines =
      HWY_DYNAMIC_DISPATCH(CountLines)(selection.bits, words_for(selection.rows), width);
  return std::min<std::uint64_t>(lines * kLineBytes, selection.rows * width);
}

}  // namespace hdbench
#endif  // HWY_ONCE

#include "engine/kernel/take.h"

#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

template <std::size_t kWidth>
void take_elements(const std::byte* values, const std::uint16_t* positions, std::size_t count,
                   std::byte* packed) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(packed + i * kWidth, values + positions[i] * kWidth, kWidth);
}

}  // namespace

std::size_t TakePositions(const std::uint64_t* bits, std::size_t rows, std::uint16_t* positions) {
  constexpr std::size_t kStep = kPositionsSlack;
  std::size_t count = 0;
  for (std::size_t w = 0; w < words_for(rows); ++w) {
    std::uint64_t word = bits[w];
    const auto set = static_cast<std::size_t>(std::popcount(word));
    // Whole steps: how many bits a word has is not to be guessed by the branch predictor.
    for (std::size_t done = 0; done < set; done += kStep) {
      for (std::size_t i = 0; i < kStep; ++i, word &= word - 1) {
        positions[count + done + i] = static_cast<std::uint16_t>(
            w * kWordRows + static_cast<unsigned>(std::countr_zero(word)));
      }
    }
    count += set;
  }
  return count;
}

void Take(std::uint32_t width, const std::byte* values, const std::uint16_t* positions,
          std::size_t count, std::byte* packed) {
  switch (width) {
    case 1: return take_elements<1>(values, positions, count, packed);
    case 2: return take_elements<2>(values, positions, count, packed);
    case 4: return take_elements<4>(values, positions, count, packed);
    case 8: return take_elements<8>(values, positions, count, packed);
    default: return take_elements<16>(values, positions, count, packed);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(TakePositions);
HWY_EXPORT(Take);

std::size_t take_positions(const std::uint64_t* bits, std::size_t rows, std::uint16_t* positions) {
  return HWY_DYNAMIC_DISPATCH(TakePositions)(bits, rows, positions);
}

void take(std::uint32_t width, const std::byte* values, const std::uint16_t* positions,
          std::size_t count, std::byte* packed) {
  HDB_DCHECK(width <= 16 && std::has_single_bit(width), "an element has 1, 2, 4, 8 or 16 bytes");
  HWY_DYNAMIC_DISPATCH(Take)(width, values, positions, count, packed);
}

}  // namespace hdbench
#endif  // HWY_ONCE

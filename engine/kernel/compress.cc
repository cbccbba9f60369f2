#include "engine/kernel/compress.h"

#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/selection.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/compress.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Packs the elements of one word, whose bit count is known to fit before `end`. A plain compress
// store may write a whole vector, so that it is used only where a whole vector still fits.
template <typename T>
HWY_INLINE T* compress_word(const T* HWY_RESTRICT values, std::uint64_t word, T* packed,
                            const T* end) {
  const hn::CappedTag<T, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::uint64_t lane_bits = (std::uint64_t{1} << lanes) - 1;
  for (std::size_t i = 0; i < kWordRows; i += lanes) {
    std::uint8_t bits[8] = {static_cast<std::uint8_t>((word >> i) & lane_bits)};
    if (bits[0] == 0) continue;
    const auto v = hn::LoadU(d, values + i);
    if (static_cast<std::size_t>(end - packed) >= lanes) {
      packed += hn::CompressBitsStore(v, bits, d, packed);
    } else {
      packed += hn::CompressBlendedStore(v, hn::LoadMaskBits(d, bits), d, packed);
    }
  }
  return packed;
}

template <typename T>
std::size_t compress_vector(const std::byte* bytes, const std::uint64_t* bits, std::size_t rows,
                            std::byte* out) {
  const auto* values = reinterpret_cast<const T*>(bytes);
  auto* const first = reinterpret_cast<T*>(out);
  T* packed = first;
  const T* end = first + count_bits(bits, words_for(rows));
  const std::size_t whole = rows / kWordRows;
  for (std::size_t w = 0; w < whole; ++w) {
    if (bits[w] == 0) continue;
    if (bits[w] == ~std::uint64_t{0}) {
      std::memcpy(packed, values + w * kWordRows, kWordRows * sizeof(T));
      packed += kWordRows;
      continue;
    }
    packed = compress_word(values + w * kWordRows, bits[w], packed, end);
  }
  if (whole < words_for(rows)) {
    for (std::uint64_t word = bits[whole]; word != 0; word &= word - 1) {
      std::memcpy(packed++, values + whole * kWordRows + std::countr_zero(word), sizeof(T));
    }
  }
  return static_cast<std::size_t>(packed - first);
}

}  // namespace

std::size_t Compress32(const std::byte* v, const std::uint64_t* bits, std::size_t rows,
                       std::byte* out) {
  return compress_vector<std::uint32_t>(v, bits, rows, out);
}
std::size_t Compress64(const std::byte* v, const std::uint64_t* bits, std::size_t rows,
                       std::byte* out) {
  return compress_vector<std::uint64_t>(v, bits, rows, out);
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Compress32);
HWY_EXPORT(Compress64);

namespace {

template <std::size_t kWidth>
std::size_t compress_plain(const std::byte* values, const std::uint64_t* bits, std::size_t rows,
                           std::byte* packed) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words_for(rows); ++w) {
    const std::byte* source = values + w * kWordRows * kWidth;
    if (bits[w] == ~std::uint64_t{0}) {
      std::memcpy(packed + count * kWidth, source, kWordRows * kWidth);
      count += kWordRows;
      continue;
    }
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      std::memcpy(packed + count * kWidth,
                  source + static_cast<std::size_t>(std::countr_zero(word)) * kWidth, kWidth);
      ++count;
    }
  }
  return count;
}

}  // namespace

std::size_t compress(std::uint32_t width, const std::byte* values, const std::uint64_t* bits,
                     std::size_t rows, std::byte* packed) {
  switch (width) {
    case 1: return compress_plain<1>(values, bits, rows, packed);
    case 2: return compress_plain<2>(values, bits, rows, packed);
    case 4: return HWY_DYNAMIC_DISPATCH(Compress32)(values, bits, rows, packed);
    case 8: return HWY_DYNAMIC_DISPATCH(Compress64)(values, bits, rows, packed);
    case 16: return compress_plain<16>(values, bits, rows, packed);
    default: HDB_CHECK(false, "an element is 1, 2, 4, 8 or 16 bytes wide"); return 0;
  }
}

}  // namespace hdbench
#endif  // HWY_ONCE

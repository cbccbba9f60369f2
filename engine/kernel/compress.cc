#include "engine/kernel/compress.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/fetch_ahead.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/compress.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLine = 64;
constexpr std::size_t kStageBytes = 1024;

// Packed elements on their way: laid out as they will lie in the result, so that whole lines of the
// stage are whole lines there.
template <typename T>
class Stage {
 public:
  Stage(std::byte* packed, Stores stores) : stores_(stores) {
    const std::size_t into_line = reinterpret_cast<std::uintptr_t>(packed) % kLine;
    line_ = packed - into_line;
    head_ = fill_ = into_line / sizeof(T);
    highest_ = hn::Zero(hn::CappedTag<T, kLineElements>());
  }

  // Room for one more word of rows, with a vector to spare: stores may write that much beyond.
  HWY_INLINE T* room() { return stage_ + fill_; }
  HWY_INLINE void added(std::size_t count) {
    fill_ += count;
    count_ += count;
    if (fill_ >= kElements) send_lines();
  }

  Compressed finish() {
    send_lines();
    send_part(fill_);
    if (stores_ == Stores::kPastCaches) hwy::FlushStream();
    const hn::CappedTag<T, kLineElements> d;
    HWY_ALIGN T lanes[kLineElements] = {};
    hn::StoreU(highest_, d, lanes);
    for (const T lane : lanes) single_highest_ = std::max(single_highest_, lane);
    return {count_, single_highest_};
  }

 private:
  static constexpr std::size_t kLineElements = kLine / sizeof(T);
  static constexpr std::size_t kElements = kStageBytes / sizeof(T);

  // Elements [head_, end) of the first line in the stage, one by one: the rest of it is a
  // neighbour's.
  void send_part(std::size_t end) {
    if (end <= head_) return;
    for (std::size_t i = head_; i < end; ++i)
      single_highest_ = std::max(single_highest_, stage_[i]);
    std::memcpy(line_ + head_ * sizeof(T), stage_ + head_, (end - head_) * sizeof(T));
  }

  void send_lines() {
    const std::size_t lines = fill_ / kLineElements;
    if (lines == 0) return;
    std::size_t first = 0;
    if (head_ != 0) {
      send_part(kLineElements);
      head_ = 0;
      first = 1;
    }
    const hn::CappedTag<T, kLineElements> d;
    for (std::size_t i = first * kLineElements; i < lines * kLineElements; i += hn::Lanes(d)) {
      const auto v = hn::Load(d, stage_ + i);
      highest_ = hn::Max(highest_, v);
      T* to = reinterpret_cast<T*>(line_) + i;
      if (stores_ == Stores::kPastCaches) {
        hn::Stream(v, d, to);
      } else {
        hn::Store(v, d, to);
      }
    }
    line_ += lines * kLine;
    fill_ -= lines * kLineElements;
    std::memcpy(stage_, stage_ + lines * kLineElements, fill_ * sizeof(T));
  }

  Stores stores_;
  std::byte* line_;   // where the stage's first line belongs
  std::size_t head_;  // elements of the first line that are not this one's
  std::size_t fill_;
  std::size_t count_ = 0;
  T single_highest_ = 0;
  decltype(hn::Zero(hn::CappedTag<T, kLineElements>())) highest_;
  alignas(64) T stage_[kElements + 2 * kWordRows];
};

template <typename T>
HWY_INLINE void pack_all(const T* HWY_RESTRICT values, T* HWY_RESTRICT packed) {
  const hn::CappedTag<T, kWordRows> d;
  for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d))
    hn::StoreU(hn::LoadU(d, values + i), d, packed + i);
}

// Runs of selected rows, copied each.
template <typename T>
HWY_INLINE std::size_t pack_runs(const T* HWY_RESTRICT values, std::uint64_t word,
                                 T* HWY_RESTRICT packed) {
  std::size_t count = 0;
  while (word != 0) {
    const auto begin = static_cast<std::size_t>(std::countr_zero(word));
    const auto run = static_cast<std::size_t>(std::countr_one(word >> begin));
    // Either may lie at any address.
    for (std::size_t i = 0; i < run; ++i)
      std::memcpy(packed + count + i, values + begin + i, sizeof(T));
    count += run;
    if (begin + run >= kWordRows) break;
    word &= ~std::uint64_t{0} << (begin + run);
  }
  return count;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// The narrowest element that is packed a vector at a time.
constexpr std::size_t kPackedWidth = HWY_TARGET <= HWY_AVX3_DL ? 1 : 4;

// The instructions themselves: Highway 1.0.3 copies a table of permutations for each vector.
HWY_INLINE __m512i pack(std::uint64_t mask, __m512i v, std::uint64_t) {
  return _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v);
}
HWY_INLINE __m512i pack(std::uint64_t mask, __m512i v, std::uint32_t) {
  return _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v);
}
#endif
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
HWY_INLINE __m512i pack(std::uint64_t mask, __m512i v, std::uint16_t) {
  return _mm512_maskz_compress_epi16(static_cast<__mmask32>(mask), v);
}
HWY_INLINE __m512i pack(std::uint64_t mask, __m512i v, std::uint8_t) {
  return _mm512_maskz_compress_epi8(mask, v);
}
#endif

template <typename T>
HWY_INLINE std::size_t pack_word(const T* HWY_RESTRICT values, std::uint64_t word,
                                 T* HWY_RESTRICT packed) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(T) >= kPackedWidth) {
    constexpr std::size_t kLanes = 64 / sizeof(T);
    T* out = packed;
    for (std::size_t i = 0; i < kWordRows; i += kLanes) {
      const std::uint64_t mask = kLanes == 64 ? word : (word >> i) & ((1ull << kLanes % 64) - 1);
      _mm512_storeu_si512(out, pack(mask, _mm512_loadu_si512(values + i), T{}));
      out += std::popcount(mask);
    }
    return static_cast<std::size_t>(out - packed);
  }
#endif
  return pack_runs(values, word, packed);
}

template <typename T>
HWY_INLINE void take_word(const T* HWY_RESTRICT values, std::uint64_t word, Stage<T>& stage) {
  if (word == ~std::uint64_t{0}) {
    pack_all(values, stage.room());
    stage.added(kWordRows);
  } else if (word != 0) {
    stage.added(pack_word(values, word, stage.room()));
  }
}

std::uint64_t word_at(const CompressSource& source, std::size_t w) {
  return source.bits == nullptr ? ~std::uint64_t{0} : source.bits[w];
}

// Front to back.
template <typename T>
Compressed compress_linear(const CompressSource& source, std::byte* packed, Stores stores) {
  const auto* values = reinterpret_cast<const T*>(source.values);
  Stage<T> stage(packed, stores);
  const std::size_t whole = source.rows / kWordRows;
  for (std::size_t w = 0; w < whole; ++w) {
    take_word(values + w * kWordRows, word_at(source, w), stage);
  }
  if (const std::size_t left = source.rows % kWordRows; left != 0) {
    const std::uint64_t word = word_at(source, whole) & tail_mask(left);
    stage.added(pack_runs(values + whole * kWordRows, word, stage.room()));
  }
  return stage.finish();
}

// Several stretches at a time, a word of each in turn: prefetchers stop at a page's end, and with
// several of them at work more lines are in flight (stream.h).
constexpr std::size_t kStretches = 4;

template <typename T>
Compressed compress_interleaved(const CompressSource& source, std::byte* packed) {
  const auto* values = reinterpret_cast<const T*>(source.values);
  const std::size_t words = source.rows / kWordRows / kStretches;  // of each stretch
  std::optional<Stage<T>> stages[kStretches];
  std::size_t count = 0;
  for (std::size_t s = 0; s < kStretches; ++s) {
    stages[s].emplace(packed + count * sizeof(T), Stores::kPastCaches);
    for (std::size_t w = 0; w < words; ++w)
      count += static_cast<std::size_t>(std::popcount(word_at(source, s * words + w)));
  }
  constexpr std::size_t kWordBytes = kWordRows * sizeof(T);
  const FetchAhead ahead{source.values, words * kStretches * kWordBytes, sizeof(T)};
  const std::size_t distance = fetch_habit().packing;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t s = 0; s < kStretches; ++s) {
      const std::size_t at = s * words + w;
      if (word_at(source, at) != 0) {
        ahead.fetch_near(at * kWordBytes, kWordBytes, distance);
      }
      take_word(values + at * kWordRows, word_at(source, at), *stages[s]);
    }
  }
  // What no stretch took.
  const std::size_t done = words * kStretches;
  Compressed all = compress_linear<T>(
      {source.width, source.values + done * kWordRows * sizeof(T), source.rows - done * kWordRows,
       source.bits == nullptr ? nullptr : source.bits + done},
      packed + count * sizeof(T), Stores::kPastCaches);
  for (auto& stage : stages) {
    const Compressed part = stage->finish();
    all.count += part.count;
    all.highest = std::max(all.highest, part.highest);
  }
  return all;
}

template <typename T>
Compressed compress_vector(const CompressSource& source, std::byte* packed, Stores stores) {
  constexpr std::size_t kInterleavedRowsMin = kStretches * 512;
  return stores == Stores::kPastCaches && source.rows >= kInterleavedRowsMin
             ? compress_interleaved<T>(source, packed)
             : compress_linear<T>(source, packed, stores);
}

}  // namespace

Compressed Compress(const CompressSource& source, std::byte* packed, Stores stores) {
  switch (source.width) {
    case 1: return compress_vector<std::uint8_t>(source, packed, stores);
    case 2: return compress_vector<std::uint16_t>(source, packed, stores);
    case 4: return compress_vector<std::uint32_t>(source, packed, stores);
    default: return compress_vector<std::uint64_t>(source, packed, stores);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Compress);

namespace {

constexpr std::size_t kWideBytes = 16;

Compressed compress_wide(const CompressSource& source, std::byte* packed) {
  std::size_t count = 0;
  for (std::size_t w = 0; w < words_for(source.rows); ++w) {
    std::uint64_t word = source.bits == nullptr ? ~std::uint64_t{0} : source.bits[w];
    if (w == source.rows / kWordRows) word &= tail_mask(source.rows);
    for (; word != 0; word &= word - 1) {
      const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(word));
      std::memcpy(packed + count++ * kWideBytes, source.values + row * kWideBytes, kWideBytes);
    }
  }
  return {count, 0};
}

}  // namespace

Compressed compress(const CompressSource& source, std::byte* packed, Stores stores) {
  HDB_CHECK(source.width != 0 && source.width <= 16 && std::has_single_bit(source.width),
            "an element is 1, 2, 4, 8 or 16 bytes wide");
  if (source.width == kWideBytes) return compress_wide(source, packed);
  return HWY_DYNAMIC_DISPATCH(Compress)(source, packed, stores);
}

}  // namespace hdbench
#endif  // HWY_ONCE

// Packers: selected elements on their way into the result of compact.h, which they leave in whole
// aligned lines; but for its first and its last line, which may be shared with neighbours.
//
// Included by compact.cc after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_KERNEL_PACKER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_KERNEL_PACKER_INL_H
#undef HDBENCH_KERNEL_PACKER_INL_H
#else
#define HDBENCH_KERNEL_PACKER_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t kLine = 64;

// On any target. Elements are packed in a stage in memory, laid out as they will lie in the result,
// so that whole lines of the stage are whole lines there.
template <typename T>
class StagePacker {
 public:
  // `packed` lies at a multiple of T's size.
  StagePacker(std::byte* packed, Stores stores) : stores_(stores) {
    const std::size_t into_line = reinterpret_cast<std::uintptr_t>(packed) % kLine;
    line_ = packed - into_line;
    head_ = fill_ = into_line / sizeof(T);
    highest_ = hn::Zero(hn::CappedTag<T, kLineElements>());
  }

  // Of 64 elements those whose bit is set.
  HWY_INLINE void take_word(const T* HWY_RESTRICT values, std::uint64_t word) {
    if (word == ~std::uint64_t{0}) {
      const hn::CappedTag<T, kWordRows> d;
      for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d))
        hn::StoreU(hn::LoadU(d, values + i), d, stage_ + fill_ + i);
      added(kWordRows);
    } else if (word != 0) {
      added(is_scattered(word) ? pack_each(values, word, stage_ + fill_)
                               : pack_runs(values, word, stage_ + fill_));
    }
  }

  // As take_word, where only the elements with a bit can be read.
  void take_tail(const T* HWY_RESTRICT values, std::uint64_t word) {
    added(pack_runs(values, word, stage_ + fill_));
  }

  Compacted finish() {
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
  static constexpr std::size_t kStageBytes = 1024;
  static constexpr std::size_t kLineElements = kLine / sizeof(T);
  static constexpr std::size_t kElements = kStageBytes / sizeof(T);

  // Whether the selected elements lie in many runs: they are then copied one by one.
  static HWY_INLINE bool is_scattered(std::uint64_t word) {
    constexpr int kRunsMin = 4;
    return std::popcount(word & ~(word << 1)) >= kRunsMin;
  }

  // How many; some more of the stage is written over. Eight at a time: how many there are in a word
  // is not to be guessed by the branch predictor.
  static HWY_INLINE std::size_t pack_each(const T* HWY_RESTRICT values, std::uint64_t word,
                                          T* HWY_RESTRICT packed) {
    constexpr std::size_t kStep = 8;
    const auto count = static_cast<std::size_t>(std::popcount(word));
    for (std::size_t done = 0; done < count; done += kStep) {
      for (std::size_t i = 0; i < kStep; ++i, word &= word - 1) {
        const auto row = static_cast<std::size_t>(std::countr_zero(word)) % kWordRows;
        std::memcpy(packed + done + i, values + row, sizeof(T));
      }
    }
    return count;
  }

  // Runs of selected elements, copied each; how many.
  static HWY_INLINE std::size_t pack_runs(const T* HWY_RESTRICT values, std::uint64_t word,
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

  HWY_INLINE void added(std::size_t count) {
    fill_ += count;
    count_ += count;
    if (fill_ >= kElements) send_lines();
  }

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
  alignas(kLine) T stage_[kElements + 2 * kWordRows];
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// AVX-512 by the width of an element: pack, permute, blend and masked loads and stores of one line.
// The instructions themselves: Highway 1.0.3 copies a table of permutations for each vector, and
// permutes no narrow lanes.
template <std::size_t kWidth>
struct Lanes512;

template <>
struct Lanes512<8> {
  using Mask = __mmask8;
  static HWY_INLINE __m512i iota() { return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7); }
  static HWY_INLINE __m512i set(std::size_t n) {
    return _mm512_set1_epi64(static_cast<long long>(n));
  }
  static HWY_INLINE __m512i subtract(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }
  static HWY_INLINE __m512i load(Mask m, const void* at) { return _mm512_maskz_loadu_epi64(m, at); }
  static HWY_INLINE __m512i pack(Mask m, __m512i v) { return _mm512_maskz_compress_epi64(m, v); }
  static HWY_INLINE __m512i permute(__m512i index, __m512i v) {
    return _mm512_permutexvar_epi64(index, v);
  }
  static HWY_INLINE __m512i blend(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_mov_epi64(a, m, b);
  }
  static HWY_INLINE void store(void* at, Mask m, __m512i v) { _mm512_mask_storeu_epi64(at, m, v); }
};

template <>
struct Lanes512<4> {
  using Mask = __mmask16;
  static HWY_INLINE __m512i iota() {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  static HWY_INLINE __m512i set(std::size_t n) { return _mm512_set1_epi32(static_cast<int>(n)); }
  static HWY_INLINE __m512i subtract(__m512i a, __m512i b) { return _mm512_sub_epi32(a, b); }
  static HWY_INLINE __m512i load(Mask m, const void* at) { return _mm512_maskz_loadu_epi32(m, at); }
  static HWY_INLINE __m512i pack(Mask m, __m512i v) { return _mm512_maskz_compress_epi32(m, v); }
  static HWY_INLINE __m512i permute(__m512i index, __m512i v) {
    return _mm512_permutexvar_epi32(index, v);
  }
  static HWY_INLINE __m512i blend(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_mov_epi32(a, m, b);
  }
  static HWY_INLINE void store(void* at, Mask m, __m512i v) { _mm512_mask_storeu_epi32(at, m, v); }
};

#if HWY_TARGET <= HWY_AVX3_DL  // VBMI and VBMI2
inline constexpr std::size_t kLanesWidthMin = 1;

alignas(64) inline constexpr std::uint16_t kIota16[32] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

alignas(64) inline constexpr std::uint8_t kIota8[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

template <>
struct Lanes512<2> {
  using Mask = __mmask32;
  static HWY_INLINE __m512i iota() { return _mm512_load_si512(kIota16); }
  static HWY_INLINE __m512i set(std::size_t n) { return _mm512_set1_epi16(static_cast<short>(n)); }
  static HWY_INLINE __m512i subtract(__m512i a, __m512i b) { return _mm512_sub_epi16(a, b); }
  static HWY_INLINE __m512i load(Mask m, const void* at) { return _mm512_maskz_loadu_epi16(m, at); }
  static HWY_INLINE __m512i pack(Mask m, __m512i v) { return _mm512_maskz_compress_epi16(m, v); }
  static HWY_INLINE __m512i permute(__m512i index, __m512i v) {
    return _mm512_permutexvar_epi16(index, v);
  }
  static HWY_INLINE __m512i blend(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_mov_epi16(a, m, b);
  }
  static HWY_INLINE void store(void* at, Mask m, __m512i v) { _mm512_mask_storeu_epi16(at, m, v); }
};

template <>
struct Lanes512<1> {
  using Mask = __mmask64;
  static HWY_INLINE __m512i iota() { return _mm512_load_si512(kIota8); }
  static HWY_INLINE __m512i set(std::size_t n) { return _mm512_set1_epi8(static_cast<char>(n)); }
  static HWY_INLINE __m512i subtract(__m512i a, __m512i b) { return _mm512_sub_epi8(a, b); }
  static HWY_INLINE __m512i load(Mask m, const void* at) { return _mm512_maskz_loadu_epi8(m, at); }
  static HWY_INLINE __m512i pack(Mask m, __m512i v) { return _mm512_maskz_compress_epi8(m, v); }
  static HWY_INLINE __m512i permute(__m512i index, __m512i v) {
    return _mm512_permutexvar_epi8(index, v);
  }
  static HWY_INLINE __m512i blend(Mask m, __m512i a, __m512i b) {
    return _mm512_mask_mov_epi8(a, m, b);
  }
  static HWY_INLINE void store(void* at, Mask m, __m512i v) { _mm512_mask_storeu_epi8(at, m, v); }
};
#else
inline constexpr std::size_t kLanesWidthMin = 4;
#endif

// With AVX-512. The line that is being filled stays in a register while a word of rows is packed: a
// stage in memory is read again right after it was written, which waits for the stores past the
// caches that are on their way before it. Members that are written and read again for each vector
// would wait for them too, so a word's state is kept in registers as well.
template <typename T>
class LinePacker {
 public:
  LinePacker(std::byte* packed, Stores stores) : stores_(stores) {
    const std::size_t into_line = reinterpret_cast<std::uintptr_t>(packed) % kLine;
    at_.to = packed - into_line;
    at_.head = at_.fill = into_line / sizeof(T);
    at_.line = at_.highest = _mm512_setzero_si512();
  }

  HWY_INLINE void take_word(const T* HWY_RESTRICT values, std::uint64_t word) {
    if (word == 0) return;
    count_ += static_cast<std::size_t>(std::popcount(word));
    Place at = at_;
    if (word == ~std::uint64_t{0}) {
      const __m512i index = rotation(at.fill);
      for (std::size_t i = 0; i < kWordRows; i += kElements) {
        const __m512i rotated = Lanes::permute(index, _mm512_loadu_si512(values + i));
        send(at, Lanes::blend(from(at.fill), at.line, rotated));
        at.line = rotated;
      }
    } else {
      for (std::size_t i = 0; i < kWordRows; i += kElements)
        take(at, lanes_of(word, i), _mm512_loadu_si512(values + i));
    }
    at_ = at;
  }

  void take_tail(const T* HWY_RESTRICT values, std::uint64_t word) {
    count_ += static_cast<std::size_t>(std::popcount(word));
    for (std::size_t i = 0; i < kWordRows; i += kElements) {
      const Mask mask = lanes_of(word, i);
      take(at_, mask, Lanes::load(mask, values + i));
    }
  }

  Compacted finish() {
    at_.highest =
        higher(at_.highest,
               store_part(at_.to, static_cast<Mask>(from(at_.head) & ~from(at_.fill)), at_.line));
    if (stores_ == Stores::kPastCaches) hwy::FlushStream();
    alignas(kLine) T lanes[kElements];
    _mm512_store_si512(lanes, at_.highest);
    return {count_, *std::max_element(lanes, lanes + kElements)};
  }

 private:
  using Lanes = Lanes512<sizeof(T)>;
  using Mask = typename Lanes::Mask;
  static constexpr std::size_t kElements = kLine / sizeof(T);

  // The line that is being filled.
  struct Place {
    std::byte* to;     // where it belongs
    std::size_t head;  // elements of the first line that are not this one's
    std::size_t fill;  // elements in it, head among them
    __m512i line;
    __m512i highest;
  };

  static HWY_INLINE Mask lanes_of(std::uint64_t word, std::size_t element) {
    return static_cast<Mask>(word >> element);
  }
  static HWY_INLINE Mask from(std::size_t element) {
    return static_cast<Mask>(~std::uint64_t{0} << element);
  }
  // Element 0 to lane `fill`, round.
  static HWY_INLINE __m512i rotation(std::size_t fill) {
    return Lanes::subtract(Lanes::iota(), Lanes::set(fill));
  }
  static HWY_INLINE __m512i higher(__m512i a, __m512i b) {
    return hn::Max(hn::Vec512<T>{a}, hn::Vec512<T>{b}).raw;
  }

  HWY_INLINE void take(Place& at, Mask mask, __m512i v) const {
    const __m512i rotated = Lanes::permute(rotation(at.fill), Lanes::pack(mask, v));
    const __m512i filled = Lanes::blend(from(at.fill), at.line, rotated);
    at.fill += static_cast<std::size_t>(std::popcount(mask));
    at.line = filled;
    if (at.fill >= kElements) {
      send(at, filled);
      at.fill -= kElements;
      at.line = rotated;
    }
  }

  // A full line.
  HWY_INLINE void send(Place& at, __m512i line) const {
    if (at.head != 0) [[unlikely]] {
      line = store_part(at.to, from(at.head), line);
      at.head = 0;
    } else if (stores_ == Stores::kPastCaches) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(at.to), line);
    } else {
      _mm512_store_si512(at.to, line);
    }
    at.highest = higher(at.highest, line);
    at.to += kLine;
  }

  // The line's elements that are in `mask`, the others being neighbours'; and they, with 0 for the
  // others.
  static HWY_NOINLINE __m512i store_part(std::byte* to, Mask mask, __m512i line) {
    Lanes::store(to, mask, line);
    return Lanes::blend(mask, _mm512_setzero_si512(), line);
  }

  Stores stores_;
  std::size_t count_ = 0;
  Place at_;
};

template <typename T>
using Packer = std::conditional_t<(sizeof(T) >= kLanesWidthMin), LinePacker<T>, StagePacker<T>>;

#else

template <typename T>
using Packer = StagePacker<T>;

#endif

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

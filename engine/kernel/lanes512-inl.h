// AVX-512's instructions by the width of an element, for packer-inl.h: pack, permute, blend and
// masked loads and stores of one line.
//
// Included after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_KERNEL_LANES512_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_KERNEL_LANES512_INL_H
#undef HDBENCH_KERNEL_LANES512_INL_H
#else
#define HDBENCH_KERNEL_LANES512_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {

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

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // AVX-512

#endif

// A test over 64 values as one word of bits, for the kernels that are compiled once a target.
//
// Included by their sources after foreach_target.h, once a target: hence the guard that toggles.
#if defined(HDBENCH_KERNEL_MASK_WORD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HDBENCH_KERNEL_MASK_WORD_INL_H
#undef HDBENCH_KERNEL_MASK_WORD_INL_H
#else
#define HDBENCH_KERNEL_MASK_WORD_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {

// At most 64 bytes a vector, and so a whole number of vectors a word.
template <typename T>
using WordTag = hwy::HWY_NAMESPACE::CappedTag<T, 64 / sizeof(T)>;

// A vector's mask as the low bits of a word, in a register: a byte a vector, stored and loaded
// again as one word, would stall on the stores.
template <typename D, typename M>
HWY_INLINE std::uint64_t bits_of_mask(D d, M mask) {
  const std::size_t lanes = hwy::HWY_NAMESPACE::Lanes(d);
  const std::uint64_t lane_bits = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
  std::uint64_t bits = 0;
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  // In a general register. GCC 12 otherwise keeps a mask of 32 lanes in 4 bytes of the stack across
  // a call and reads 8 of them back (seen in builds with -fsanitize=thread).
  asm("" : "+r"(bits));
#endif
  return bits & lane_bits;
}

// Bit i is set when `test(d, v)` holds for values[i]. The values need no alignment.
template <typename T, typename VectorTest>
HWY_INLINE std::uint64_t mask_word(const T* HWY_RESTRICT values, const VectorTest& test) {
  namespace hn = hwy::HWY_NAMESPACE;
  const WordTag<T> d;
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d))
    word |= bits_of_mask(d, test(d, hn::LoadU(d, values + i))) << i;
  return word;
}

// Lanes of v that equal one of four values.
template <typename D, typename V>
HWY_INLINE auto equals_any([[maybe_unused]] D d, V v, const V* any) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET <= HWY_AVX3
  // A compare writes a mask register, and a core writes few of those per cycle: this needs one
  // compare instead of four.
  const auto least01 = hn::Min(hn::Xor(v, any[0]), hn::Xor(v, any[1]));
  const auto least23 = hn::Min(hn::Xor(v, any[2]), hn::Xor(v, any[3]));
  return hn::Eq(hn::Min(least01, least23), hn::Zero(d));
#else
  return hn::Or(hn::Or(hn::Eq(v, any[0]), hn::Eq(v, any[1])),
                hn::Or(hn::Eq(v, any[2]), hn::Eq(v, any[3])));
#endif
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

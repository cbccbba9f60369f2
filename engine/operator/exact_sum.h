// Exact sums of doubles: independent of order, threads and partitions.
//
// The sum is a fixed-point number wide enough for every double (Kulisch's long accumulator), in
// 32-bit digits held in 64-bit words so that carries are rare. It is rounded once, at the end.
// Eight digits are stored inline; the others are allocated only for numbers whose magnitudes differ
// by more than about 2^90.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/wide_number.h"

namespace hdbench {

class ExactSum {
 public:
  ExactSum() = default;

  // Any double; a NaN makes the sum NaN, infinities of both signs too.
  void add(double value);
  // Adds x*y exactly (as the rounded product and its error; products below 2^-969 or so lose their
  // error's tail).
  void add_product(double x, double y);
  void add(const ExactSum& other);

  // The exact sum rounded to nearest, ties to even. -0 never comes out; an overflow is an infinity.
  double rounded() const;
  // The same with 128 bits, cut. Requires: is_finite().
  WideNumber wide() const;
  bool is_finite() const { return !nan_ && !positive_infinity_ && !negative_infinity_; }

 private:
  static constexpr int kDigitBits = 32;
  static constexpr std::size_t kInlineDigits = 8;
  static constexpr std::size_t kAllDigits = 70;
  using InlineDigits = std::array<std::int64_t, kInlineDigits>;
  using AllDigits = std::array<std::int64_t, kAllDigits>;

  void add_finite(double value);
  void add_at(std::size_t digit, std::int64_t low, std::int64_t middle, std::int64_t high);
  void widen();
  bool add_inline(const ExactSum& other);
  template <std::size_t kDigits>
  static void carry_all(std::array<std::int64_t, kDigits>& digits);
  // Whether the number is negative; its digits are carried and those of its magnitude then.
  template <std::size_t kDigits>
  static bool make_positive(std::array<std::int64_t, kDigits>& digits);
  template <std::size_t kDigits>
  static double rounded_of(std::array<std::int64_t, kDigits>& digits, int base);
  template <std::size_t kDigits>
  static WideNumber wide_of(std::array<std::int64_t, kDigits>& digits, int base);
  AllDigits all_digits() const;

  // Digit i stands for 2^(32 (base_ + i) - 1074).
  InlineDigits inline_{};
  std::unique_ptr<AllDigits> all_;
  std::uint32_t pending_ = 0;  // adds since the last carry
  std::int16_t base_ = -1;     // -1: nothing was added yet
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
  bool nan_ = false;
};

}  // namespace hdbench

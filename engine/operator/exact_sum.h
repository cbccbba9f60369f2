// Exact sums of doubles: independent of order, threads and partitions.
//
// The sum is a fixed-point number wide enough for every double (Kulisch's long accumulator), in
// 32-bit digits held in 64-bit words so that carries are rare. It is rounded once, at the end.
// Eight digits are stored inline; the others are allocated only for numbers whose magnitudes differ
// by more than about 2^90.
//
// SplitAdder and ProductAdder add blocks of numbers to such sums: a vector at a time where the
// values' magnitudes allow the kernels of split_sum.h to do so without rounding, else one by one.
// Both give the same result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/byte_stream.h"
#include "engine/base/wide_number.h"
#include "engine/kernel/split_sum.h"

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
  // For another process, and of it; 0 where the source fails.
  void save(ByteSink& out) const;
  static ExactSum saved(ByteSource& in);

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

  // Digit i represents 2^(32 (base_ + i) - 1074).
  InlineDigits inline_{};
  std::unique_ptr<AllDigits> all_;
  std::uint32_t pending_ = 0;  // adds since the last carry
  std::int16_t base_ = -1;     // -1: nothing was added yet
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
  bool nan_ = false;
};

// Where a column's magnitudes are, learned from the blocks before.
class BoundHint {
 public:
  BoundHint() = default;
  // Tried as one piece until a block is not.
  static BoundHint of_one_piece() {
    BoundHint hint;
    hint.bound_.one_piece = true;
    return hint;
  }

  SplitBound bound() const { return bound_; }
  // After a block that was not exact: updates the bound with its greatest magnitude and nulls.
  // Returns false if that changes nothing: the block cannot be split.
  bool learn(double greatest, bool has_nulls);
  // The blocks after it are not tried as one piece; false where they were not anyway.
  bool drop_one_piece();
  // After a block that was exact, with its greatest magnitude: lowers a bound that is 2^slack times
  // too high. Returns whether it did.
  bool settle(double greatest, int slack);

 private:
  SplitBound bound_;
};

bool has_null(const DoubleBlock& block);

class SplitAdder {
 public:
  // Adds the selected numbers; returns how many selected values are null. Requires: rows <=
  // kSplitRowsMax.
  std::uint64_t add(const DoubleBlock& block, ExactSum& sum) { return add_values(block, sum); }
  std::uint64_t add(const RealBlock& block, ExactSum& sum) { return add_values(block, sum); }

 private:
  template <typename T>
  std::uint64_t add_values(const SumBlock<T>& block, ExactSum& sum);

  BoundHint hint_ = BoundHint::of_one_piece();
  bool has_been_fine_ = false;  // a block was not of one piece
};

class ProductAdder {
 public:
  // Adds weight * value to `products` and the weights to `weights`, of the selected pairs without a
  // null; returns how many selected pairs have one. block_weights null: values with themselves.
  std::uint64_t add(const DoubleBlock& block, const double* block_weights, ExactSum& products,
                    ExactSum& weights);

 private:
  BoundHint values_hint_;
  BoundHint weights_hint_ = BoundHint::of_one_piece();
};

}  // namespace hdbench

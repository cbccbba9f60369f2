// Adds blocks of doubles, or of products, to exact sums: a vector at a time if the values'
// magnitudes allow the kernels of split_sum.h to do so without rounding, else one by one. Both give
// the same result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernel/split_sum.h"
#include "engine/operator/exact_sum.h"

namespace hdbench {

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

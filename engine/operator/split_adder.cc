#include "engine/operator/split_adder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/kernel/bits.h"

namespace hdbench {
namespace {

// How far a bound may be above a block's values: a sum has bits to spare, where a bound that rises
// and falls with every block costs a second pass each time; products have few.
constexpr int kSumSlack = 12;
constexpr int kProductSlack = 3;

// The least exponent of a power of two that is not below a magnitude.
int exponent_for(double greatest) {
  int exponent = 0;
  const double fraction = std::frexp(greatest, &exponent);
  return fraction == 0.5 ? exponent - 1 : exponent;
}

template <typename T, typename Take>
void each_selected(const SumBlock<T>& block, const Take& take) {
  for (std::size_t w = 0; w < words_for(block.rows); ++w) {
    std::uint64_t word = block.bits == nullptr ? ~std::uint64_t{0} : block.bits[w];
    if (w + 1 == words_for(block.rows)) word &= tail_mask(block.rows);
    for (; word != 0; word &= word - 1)
      take(w * kWordRows + static_cast<std::size_t>(std::countr_zero(word)));
  }
}

template <typename T>
bool has_null_in(const SumBlock<T>& block) {
  bool found = false;
  each_selected(block, [&](std::size_t row) { found |= block.values[row] != block.values[row]; });
  return found;
}

}  // namespace

bool BoundHint::learn(double greatest, bool has_nulls) {
  const SplitBound before = bound_;
  bound_.nulls |= has_nulls;
  if (std::isfinite(greatest)) {
    const int exponent = std::max(exponent_for(greatest), -kSplitExponentMax);
    if (exponent <= kSplitExponentMax) bound_.exponent = exponent;
  }
  return bound_.nulls != before.nulls || bound_.exponent != before.exponent;
}

bool BoundHint::drop_one_piece() {
  const bool was_one_piece = bound_.one_piece;
  bound_.one_piece = false;
  return was_one_piece;
}

bool BoundHint::settle(double greatest, int slack) {
  const int exponent = std::max(exponent_for(greatest), -kSplitExponentMax);
  if (greatest == 0 || exponent + slack >= bound_.exponent) return false;
  bound_.exponent = exponent;
  return true;
}

bool has_null(const DoubleBlock& block) { return has_null_in(block); }

template <typename T>
std::uint64_t SplitAdder::add_values(const SumBlock<T>& block, ExactSum& sum) {
  // Once for a null, twice for a greatest that a null hid.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const SplitSum split = split_sum(block, hint_.bound());
    if (split.exact) {
      sum.add(split.high);
      sum.add(split.low);
      if (split.one_piece) return split.nulls;
      // A bound that falls makes the grid finer: one piece may do then, and is tried once more.
      if (!hint_.settle(split.greatest, kSumSlack) || has_been_fine_) hint_.drop_one_piece();
      has_been_fine_ = true;
      return split.nulls;
    }
    if (!hint_.learn(split.greatest, has_null_in(block))) break;
  }
  std::uint64_t nulls = 0;
  each_selected(block, [&](std::size_t row) {
    const auto value = static_cast<double>(block.values[row]);
    if (value == value) {
      sum.add(value);
    } else {
      ++nulls;
    }
  });
  return nulls;
}

template std::uint64_t SplitAdder::add_values(const DoubleBlock& block, ExactSum& sum);
template std::uint64_t SplitAdder::add_values(const RealBlock& block, ExactSum& sum);

std::uint64_t ProductAdder::add(const DoubleBlock& block, const double* block_weights,
                                ExactSum& products, ExactSum& weights) {
  const bool squares = block_weights == nullptr;
  // Once more for weights that are not of one piece.
  for (int attempt = 0; attempt < 4; ++attempt) {
    const SplitProducts split =
        squares ? split_squares(block, values_hint_.bound())
                : split_products(block, block_weights, values_hint_.bound(), weights_hint_.bound());
    if (split.exact) {
      for (const double product : split.products) products.add(product);
      for (const double weight : split.weights) weights.add(weight);
      values_hint_.settle(split.greatest_value, kProductSlack);
      if (!squares) weights_hint_.settle(split.greatest_weight, kProductSlack);
      return split.nulls;
    }
    bool changed = values_hint_.learn(split.greatest_value, has_null(block));
    if (!squares) {
      changed |= weights_hint_.learn(split.greatest_weight,
                                     has_null({block_weights, block.rows, block.bits}));
    }
    if (!changed && (squares || !weights_hint_.drop_one_piece())) break;
  }
  std::uint64_t nulls = 0;
  each_selected(block, [&](std::size_t row) {
    const double value = block.values[row];
    const double weight = squares ? value : block_weights[row];
    if (value == value && weight == weight) {
      products.add_product(weight, value);
      weights.add(weight);
    } else {
      ++nulls;
    }
  });
  return nulls;
}

}  // namespace hdbench

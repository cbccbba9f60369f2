// Sums of doubles without rounding, by error-free transformation, a vector at a time.
//
// Each value is split on a grid of powers of two, which the caller's bound on the values fixes,
// into pieces so short that sums of a block's pieces (and of products of two pieces) are exact in
// any order. A kernel reports whether every value was within the bound and on the grid; if not, its
// sums are invalid and the caller sums the block in another way (exact_sum.h). The result is a
// function of the set of values. Compiled for each vector instruction set (Highway); the best one
// is chosen at run time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/column/type.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/reduce.h"

namespace hdbench {

// Rows of a block of doubles at most: how many pieces a sum takes without rounding.
constexpr std::size_t kSplitRowsMax = 4096;

// Bounds are 2^exponent with an exponent of this magnitude at most; products of two pieces then
// neither overflow nor lose bits.
constexpr int kSplitExponentMax = 400;

// Values at any address: those whose bit is set (bits.h), or all where `bits` is null.
template <typename T>
struct SumBlock {
  const T* values = nullptr;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;
  RowsAhead ahead{};
};
using DoubleBlock = SumBlock<double>;
using RealBlock = SumBlock<float>;

// `exponent`: the values' magnitudes are 2^exponent at most. `nulls`: NaNs are left out and
// counted; else one makes the block inexact. `one_piece` takes about half the work. Of weights:
// they are multiples of 2^(exponent - 20), such as integers up to a million. Of values to sum: one
// piece is tried first and is enough where they are multiples of 2^(exponent - 39), as reals mostly
// are. Values beyond the bound may be exact then; whether they are depends on their order.
struct SplitBound {
  int exponent = 0;
  bool nulls = false;
  bool one_piece = false;
};

struct SplitSum {
  double high = 0;  // the sum is high + low
  double low = 0;
  // Magnitude; of no meaning where there are NaNs that count, and not known (0) of one piece.
  double greatest = 0;
  std::uint64_t nulls = 0;  // left out
  bool exact = false;
  bool one_piece = false;  // tried and enough: low is 0
};

// Exact where all magnitudes are within the bound 2^e and all values are multiples of 2^(e - 79).
// Requires: rows <= kSplitRowsMax, |exponent| <= kSplitExponentMax.
SplitSum split_sum(const DoubleBlock& block, SplitBound bound);
SplitSum split_sum(const RealBlock& block, SplitBound bound);

struct SplitProducts {
  double products[5] = {};  // the sum of weight * value is the sum of these
  double weights[3] = {};   // the sum of the weights
  double greatest_value = 0;
  double greatest_weight = 0;
  std::uint64_t nulls = 0;  // pairs left out: a NaN on either side
  bool exact = false;
};

// The block's bits hold for the weights as well. Exact where values and weights are within their
// bounds 2^e and multiples of 2^(e - 60), or of what `one_piece` says. Requires: as above.
SplitProducts split_products(const DoubleBlock& block, const double* weights, SplitBound bound,
                             SplitBound weights_bound);
// The same of each value with itself.
SplitProducts split_squares(const DoubleBlock& block, SplitBound bound);

// Splits `count` values for sums that others make: pairs[2 i] + pairs[2 i + 1] is value i, and the
// sums of up to 2^headroom first, and of as many second, parts of pairs are exact. Exact where all
// magnitudes are within the bound and all values are multiples of 2^(e - 104 + 2 headroom). Nulls:
// pairs of zeros. Requires: 1 <= headroom <= 24; space for whole words of 64 pairs.
struct SplitPairs {
  double greatest = 0;
  std::uint64_t nulls = 0;
  bool exact = false;
};
SplitPairs split_pairs(const double* values, std::size_t count, SplitBound bound, int headroom,
                       double* pairs);

// Splits `count` pairs of weight and value (weights null: values with themselves) into the eight
// addends of a SplitProducts: row i's are rows.first[4 i] to [4 i + 3], products 0 to 3, and
// rows.second[4 i] to [4 i + 3], product 4 and the weights. The sums of up to kSplitRowsMax rows
// are exact, on the conditions of split_products(). Room: `count` rounded up to a multiple of 8.
// Weights of one piece: row i's four addends are rows.first[4 i] to [4 i + 3], products 0 to 2 and
// the weight; rows.second is not used.
struct RowParts {
  double* first = nullptr;
  double* second = nullptr;
};
struct SplitRows {
  double greatest_value = 0;
  double greatest_weight = 0;
  std::uint64_t nulls = 0;
  bool exact = false;
};
SplitRows split_rows(const double* values, const double* weights, std::size_t count,
                     SplitBound bound, SplitBound weights_bound, RowParts rows);

// Adds row i's eight addends to the eight sums at sums[8 (copies * groups[i] + i % copies)]; only
// the first four where rows.second is null. copies: 1 or 4.
void add_rows(RowParts rows, const std::uint32_t* groups, std::size_t count, std::size_t copies,
              double* sums);

// A column's values as blocks of doubles: in place, or converted into a buffer.
// Valid as long as the values and the buffer are; the buffer has space for `count`.
inline const double* doubles_of(QType type, const std::byte* values, std::size_t count,
                                double* buffer) {
  if (is_floating(type) && type != QType::kReal) return reinterpret_cast<const double*>(values);
  widen_to_doubles(type, values, count, buffer);
  return buffer;
}

// Calls take(start, count) for blocks of kSplitRowsMax rows at most, whole words of 64 rows but for
// the last.
template <typename Take>
void each_block(std::size_t rows, const Take& take) {
  static_assert(kSplitRowsMax % kWordRows == 0, "blocks begin with a word of bits");
  for (std::size_t start = 0; start < rows; start += kSplitRowsMax)
    take(start, std::min(kSplitRowsMax, rows - start));
}

}  // namespace hdbench

#include "engine/kernel/split_sum.h"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/check.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/reduce.h"
#include "engine/kernel/word_mask-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

// The mantissa's bits behind the leading one.
constexpr int kMantissa = 52;
// log2 of kSplitRowsMax.
constexpr int kRowBits = 12;

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << kMantissa);
}

// Added to a number and subtracted again, it rounds that to a multiple of 2^unit: its last bit.
// (1.5: numbers of either sign leave the exponent as it is.)
double rounder(int unit) { return 1.5 * power_of_two(unit + kMantissa); }

// Adds the lanes. Exact for a block's pieces: the sum over all of its rows fits a double.
HWY_INLINE double sum_lanes(Tag d, Vector v) { return hn::GetLane(hn::SumOfLanes(d, v)); }
HWY_INLINE double max_lane(Tag d, Vector v) { return hn::GetLane(hn::MaxOfLanes(d, v)); }

HWY_INLINE bool is_zero(Tag d, Vector v) { return hn::AllTrue(d, hn::Eq(v, hn::Zero(d))); }

// A running sum that starts at a rounder: what a value adds to it is the value rounded to its unit.
HWY_INLINE Vector take_part(Vector& sum, Vector v) {
  const Vector after = hn::Add(sum, v);
  const Vector added = hn::Sub(after, sum);
  sum = after;
  return hn::Sub(v, added);
}

HWY_INLINE Vector load_doubles(Tag d, const double* values) { return hn::LoadU(d, values); }
HWY_INLINE Vector load_doubles(Tag d, const float* values) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag>(), values));
}

// The values of a word from lane 0 of vector i on; zero where they are not selected or null.
template <bool kNulls, typename T>
HWY_INLINE Vector load(Tag d, const T* values, std::uint64_t word, std::size_t i,
                       std::uint64_t& nulls) {
  Vector v = load_doubles(d, values + i);
  if constexpr (kNulls) {
    const Mask number = hn::Eq(v, v);
    const Mask null = word == kAllRows ? hn::Not(number) : hn::AndNot(number, mask_at(d, word, i));
    nulls += hn::CountTrue(d, null);
    v = hn::IfThenElseZero(number, v);
  }
  return word == kAllRows ? v : hn::IfThenElseZero(mask_at(d, word, i), v);
}

enum class Chain : std::uint8_t { kFirst, kSecond };

// Calls one(vector of values, its chain) for each vector of a block. Two chains of additions take
// turns, so that one does not wait for the other's latency.
template <bool kNulls, typename T, typename One>
HWY_INLINE void each_vector(const SumBlock<T>& block, std::uint64_t& nulls, const One& one) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  each_word<T>(
      {reinterpret_cast<const std::byte*>(block.values), block.rows, block.bits, block.ahead},
      [&](std::size_t, const T* values, std::uint64_t word) HWY_ATTR {
        if (word == kAllRows) {
          for (std::size_t i = 0; i < kWordRows; i += 2 * lanes) {
            one(load<kNulls>(d, values, kAllRows, i, nulls), Chain::kFirst);
            one(load<kNulls>(d, values, kAllRows, i + lanes, nulls), Chain::kSecond);
          }
        } else {
          for (std::size_t i = 0; i < kWordRows; i += lanes)
            one(load<kNulls>(d, values, word, i, nulls), Chain::kFirst);
        }
      });
}

// The unit of the first part of values of at most 2^exponent. The sum of 2^12 parts stays below
// 2^(unit + 52).
int first_unit(int exponent) { return exponent + kRowBits + 1 - kMantissa; }

// The sum of a block whose values are multiples of first_unit(): each is added to one running sum.
template <bool kNulls, typename T>
SplitSum sum_on_grid(const SumBlock<T>& block, int exponent) {
  const Tag d;
  const Vector start = hn::Set(d, rounder(first_unit(exponent)));
  Vector a0 = start, a1 = start;
  Vector left = hn::Zero(d), moved = hn::Zero(d);
  SplitSum sum;
  each_vector<kNulls>(block, sum.nulls, [&](Vector v, Chain chain) HWY_ATTR {
    Vector& a = chain == Chain::kFirst ? a0 : a1;
    const Vector after = hn::Add(a, v);
    left = hn::Or(left, hn::Xor(v, hn::Sub(after, a)));
    moved = hn::Or(moved, hn::Xor(after, start));
    a = after;
  });
  a0 = hn::Sub(a0, start);
  a1 = hn::Sub(a1, start);
  sum.high = sum_lanes(d, hn::Add(a0, a1));
  // A running sum that kept its exponent and added all bits of a value was not rounded; nor was the
  // sum of the lanes, if it is that small.
  const Vector exponents = hn::And(moved, hn::Set(d, -std::numeric_limits<double>::infinity()));
  const double magnitudes = sum_lanes(d, hn::Add(hn::Abs(a0), hn::Abs(a1)));
  sum.one_piece = sum.exact =
      is_zero(d, hn::Or(left, exponents)) && magnitudes <= power_of_two(exponent + kRowBits + 1);
  return sum;
}

// The sum of a block whose greatest value is at most 2^exponent, as two doubles without a rounding
// error. Every value is cut at two units: what it adds to the first running sum, then to the
// second. `left` gathers the bits of what remains; where all values leave zero, the sums are exact.
template <bool kNulls, typename T>
SplitSum sum_of(const SumBlock<T>& block, SplitBound bound) {
  if (bound.one_piece) {
    const SplitSum sum = sum_on_grid<kNulls>(block, bound.exponent);
    if (sum.exact) return sum;
  }
  const Tag d;
  const int unit = first_unit(bound.exponent);
  // The second part is at most half of the first unit, so they stay below 2^(unit2 + 52).
  const int unit2 = unit + kRowBits - kMantissa;
  const Vector start = hn::Set(d, rounder(unit));
  const Vector start2 = hn::Set(d, rounder(unit2));
  Vector a0 = start, a1 = start, b0 = start2, b1 = start2;
  Vector left = hn::Zero(d), greatest = hn::Zero(d);
  SplitSum sum;
  each_vector<kNulls>(block, sum.nulls, [&](Vector v, Chain chain) HWY_ATTR {
    greatest = hn::Max(hn::Abs(v), greatest);
    left = hn::Or(left, chain == Chain::kFirst ? take_part(b0, take_part(a0, v))
                                               : take_part(b1, take_part(a1, v)));
  });
  sum.high = sum_lanes(d, hn::Add(hn::Sub(a0, start), hn::Sub(a1, start)));
  sum.low = sum_lanes(d, hn::Add(hn::Sub(b0, start2), hn::Sub(b1, start2)));
  sum.greatest = max_lane(d, greatest);
  // The bound was a guess: the sum counts only if every value kept it and left no bits.
  sum.exact =
      sum.greatest <= power_of_two(bound.exponent) && sum.high == sum.high && is_zero(d, left);
  return sum;
}

// A value as three pieces of 20 bits.
struct Pieces {
  Vector a, b, c;
};

// The rounders are of the first and the second piece's unit; the third piece is what remains.
HWY_INLINE Pieces pieces_of(Vector v, Vector first, Vector second) {
  Pieces pieces;
  pieces.a = hn::Sub(hn::Add(v, first), first);
  const Vector rest = hn::Sub(v, pieces.a);
  pieces.b = hn::Sub(hn::Add(rest, second), second);
  pieces.c = hn::Sub(rest, pieces.b);
  return pieces;
}

// Zero where a value is a multiple of the rounder's unit, and where it is NaN.
HWY_INLINE Vector off_grid(Vector v, Vector its_rounder) {
  return hn::Xor(hn::Sub(hn::Add(v, its_rounder), its_rounder), v);
}

// Splits values of at most 2^exponent, and remembers whether each was one: `greatest` is the
// greatest absolute value, `left` has a bit where a third piece was finer than its unit.
struct Splitter {
  explicit Splitter(int exponent)
      : first(hn::Set(Tag(), rounder(exponent - 20))),
        second(hn::Set(Tag(), rounder(exponent - 40))),
        third(hn::Set(Tag(), rounder(exponent - 60))),
        left(hn::Zero(Tag())),
        greatest(hn::Zero(Tag())) {}

  HWY_INLINE Pieces split(Vector v) {
    const Pieces pieces = pieces_of(v, first, second);
    greatest = hn::Max(hn::Abs(v), greatest);
    left = hn::Or(left, off_grid(pieces.c, third));
    return pieces;
  }
  // For values that are their first piece.
  HWY_INLINE Vector whole(Vector v) {
    greatest = hn::Max(hn::Abs(v), greatest);
    left = hn::Or(left, off_grid(v, first));
    return v;
  }
  bool exact(int exponent) const {
    return max_lane(Tag(), greatest) <= power_of_two(exponent) && is_zero(Tag(), left);
  }

  Vector first, second, third;
  Vector left, greatest;
};

// Sums of products of pieces: p0 of the two first ones, down to p4 of the two third ones; each has
// the products of one unit. A product of 20-bit pieces has 40 bits, so kSplitRowsMax of them fit a
// double's 53. w0 to w2: sums of the weights' pieces.
struct ProductSums {
  Vector p0, p1, p2, p3, p4, w0, w1, w2;

  ProductSums() { p0 = p1 = p2 = p3 = p4 = w0 = w1 = w2 = hn::Zero(Tag()); }
  ProductSums(Vector q0, Vector q1, Vector q2, Vector q3, Vector q4, Vector v0, Vector v1,
              Vector v2)
      : p0(q0), p1(q1), p2(q2), p3(q3), p4(q4), w0(v0), w1(v1), w2(v2) {}

  HWY_INLINE void add(const Pieces& v, const Pieces& w) {
    w0 = hn::Add(w0, w.a);
    w1 = hn::Add(w1, w.b);
    w2 = hn::Add(w2, w.c);
    p0 = hn::MulAdd(v.a, w.a, p0);
    p1 = hn::MulAdd(v.b, w.a, hn::MulAdd(v.a, w.b, p1));
    p2 = hn::MulAdd(v.c, w.a, hn::MulAdd(v.b, w.b, hn::MulAdd(v.a, w.c, p2)));
    p3 = hn::MulAdd(v.c, w.b, hn::MulAdd(v.b, w.c, p3));
    p4 = hn::MulAdd(v.c, w.c, p4);
  }
  // A weight of one piece.
  HWY_INLINE void add_whole(const Pieces& v, Vector w) {
    w0 = hn::Add(w0, w);
    p0 = hn::MulAdd(v.a, w, p0);
    p1 = hn::MulAdd(v.b, w, p1);
    p2 = hn::MulAdd(v.c, w, p2);
  }
  // v with itself: products of different pieces count twice.
  HWY_INLINE void add_square(const Pieces& v) {
    w0 = hn::Add(w0, v.a);
    w1 = hn::Add(w1, v.b);
    w2 = hn::Add(w2, v.c);
    const Vector twice = hn::Add(v.a, v.a);
    p0 = hn::MulAdd(v.a, v.a, p0);
    p1 = hn::MulAdd(twice, v.b, p1);
    p2 = hn::MulAdd(v.b, v.b, hn::MulAdd(twice, v.c, p2));
    p3 = hn::MulAdd(v.b, v.c, p3);
    p4 = hn::MulAdd(v.c, v.c, p4);
  }
  SplitProducts finish(bool square) const {
    const Tag d;
    return {{sum_lanes(d, p0), sum_lanes(d, p1), sum_lanes(d, p2),
             (square ? 2 : 1) * sum_lanes(d, p3), sum_lanes(d, p4)},
            {sum_lanes(d, w0), sum_lanes(d, w1), sum_lanes(d, w2)}};
  }
};

// What a NaN among the pieces leaves in every sum.
bool is_finite_sum(const SplitProducts& found) { return found.products[0] == found.products[0]; }

// Lines of a pass over whole words of rows without a selection.
HWY_INLINE void fetch_ahead(const double* values) {
  __builtin_prefetch(reinterpret_cast<const std::byte*>(values) + kFetchedBytes);
}

// Of `rows` rows, whole words of 64, all of them numbers. (GCC 12 keeps members of a structure in
// memory, and each addition then waits for a store: hence single variables.)
void add_squares(const double* values, std::size_t rows, Splitter& splitter, ProductSums& sums) {
  const Tag d;
  const Vector first = splitter.first, second = splitter.second, third = splitter.third;
  Vector left = splitter.left, greatest = splitter.greatest;
  Vector p0 = sums.p0, p1 = sums.p1, p2 = sums.p2, p3 = sums.p3, p4 = sums.p4;
  Vector w0 = sums.w0, w1 = sums.w1, w2 = sums.w2;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
    fetch_ahead(values + i);
    const Vector v = hn::LoadU(d, values + i);
    const Pieces x = pieces_of(v, first, second);
    greatest = hn::Max(hn::Abs(v), greatest);
    left = hn::Or(left, off_grid(x.c, third));
    w0 = hn::Add(w0, x.a);
    w1 = hn::Add(w1, x.b);
    w2 = hn::Add(w2, x.c);
    const Vector twice = hn::Add(x.a, x.a);
    p0 = hn::MulAdd(x.a, x.a, p0);
    p1 = hn::MulAdd(twice, x.b, p1);
    p2 = hn::Add(hn::MulAdd(x.b, x.b, hn::Mul(twice, x.c)), p2);
    p3 = hn::MulAdd(x.b, x.c, p3);
    p4 = hn::MulAdd(x.c, x.c, p4);
  }
  splitter.left = left;
  splitter.greatest = greatest;
  sums = ProductSums(p0, p1, p2, p3, p4, w0, w1, w2);
}

// The same, with weights of one piece.
void add_products(const double* values, const double* weights, std::size_t rows,
                  Splitter& of_values, Splitter& of_weights, ProductSums& sums) {
  const Tag d;
  const Vector first = of_values.first, second = of_values.second, third = of_values.third;
  const Vector weights_first = of_weights.first;
  Vector left = of_values.left, greatest = of_values.greatest;
  Vector weights_left = of_weights.left, greatest_weight = of_weights.greatest;
  Vector p0 = sums.p0, p1 = sums.p1, p2 = sums.p2, w0 = sums.w0;
  for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
    fetch_ahead(values + i);
    const Vector v = hn::LoadU(d, values + i);
    const Vector w = hn::LoadU(d, weights + i);
    const Pieces x = pieces_of(v, first, second);
    greatest = hn::Max(hn::Abs(v), greatest);
    greatest_weight = hn::Max(hn::Abs(w), greatest_weight);
    left = hn::Or(left, off_grid(x.c, third));
    weights_left = hn::Or(weights_left, off_grid(w, weights_first));
    w0 = hn::Add(w0, w);
    p0 = hn::MulAdd(x.a, w, p0);
    p1 = hn::MulAdd(x.b, w, p1);
    p2 = hn::MulAdd(x.c, w, p2);
  }
  of_values.left = left;
  of_values.greatest = greatest;
  of_weights.left = weights_left;
  of_weights.greatest = greatest_weight;
  sums.p0 = p0;
  sums.p1 = p1;
  sums.p2 = p2;
  sums.w0 = w0;
}

// The exact sum of squares, as five doubles, and of the values, as three.
template <bool kNulls>
SplitProducts squares_of(const DoubleBlock& block, int exponent) {
  const Tag d;
  Splitter splitter(exponent);
  ProductSums sums;
  std::uint64_t nulls = 0;
  // Whole words of selected numbers go through the plain loop; what is left word by word.
  DoubleBlock rest = block;
  if (!kNulls && block.bits == nullptr) {
    const std::size_t whole = block.rows / kWordRows * kWordRows;
    add_squares(block.values, whole, splitter, sums);
    rest = {block.values + whole, block.rows - whole, nullptr};
  }
  each_word<double>({reinterpret_cast<const std::byte*>(rest.values), rest.rows, rest.bits},
                    [&](std::size_t, const double* values, std::uint64_t word) HWY_ATTR {
                      for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d))
                        sums.add_square(splitter.split(load<kNulls>(d, values, word, i, nulls)));
                    });
  SplitProducts found = sums.finish(true);
  found.greatest_value = found.greatest_weight = max_lane(d, splitter.greatest);
  found.nulls = nulls;
  found.exact = splitter.exact(exponent) && is_finite_sum(found);
  return found;
}

// Both values of a pair are zero where the pair is not selected, or has a null.
// As squares_of(), of weight times value.
template <bool kNulls, bool kOnePiece>
SplitProducts products_of(const DoubleBlock& block, const double* weights, int exponent,
                          int weights_exponent) {
  const Tag d;
  Splitter x(exponent);
  Splitter y(weights_exponent);
  ProductSums sums;
  std::uint64_t nulls = 0;
  DoubleBlock rest = block;
  if (kOnePiece && !kNulls && block.bits == nullptr) {
    const std::size_t whole = block.rows / kWordRows * kWordRows;
    add_products(block.values, weights, whole, x, y, sums);
    rest = {block.values + whole, block.rows - whole, nullptr};
    weights += whole;
  }
  // What is not counted must not disturb: both become zero before they are split.
  const auto pairs = [&](const double* values, const double* its_weights, std::uint64_t word)
                         HWY_ATTR {
                           for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d)) {
                             Vector v = hn::LoadU(d, values + i);
                             Vector w = hn::LoadU(d, its_weights + i);
                             Mask kept = mask_at(d, word, i);
                             if constexpr (kNulls) {
                               const Mask numbers = hn::And(hn::Eq(v, v), hn::Eq(w, w));
                               nulls += hn::CountTrue(d, hn::AndNot(numbers, kept));
                               kept = hn::And(kept, numbers);
                             }
                             v = hn::IfThenElseZero(kept, v);
                             w = hn::IfThenElseZero(kept, w);
                             const Pieces pieces = x.split(v);
                             if constexpr (kOnePiece) {
                               sums.add_whole(pieces, y.whole(w));
                             } else {
                               sums.add(pieces, y.split(w));
                             }
                           }
                         };
  each_word<double>({reinterpret_cast<const std::byte*>(rest.values), rest.rows, rest.bits},
                    [&](std::size_t row, const double* values, std::uint64_t word) HWY_ATTR {
                      if (rest.rows - row >= kWordRows) return pairs(values, weights + row, word);
                      // The weights of the last word are copied, so that no load passes their end.
                      HWY_ALIGN double padded[kWordRows] = {};
                      std::copy(weights + row, weights + rest.rows, padded);
                      pairs(values, padded, word);
                    });
  SplitProducts found = sums.finish(false);
  found.greatest_value = max_lane(d, x.greatest);
  found.greatest_weight = max_lane(d, y.greatest);
  found.nulls = nulls;
  found.exact = x.exact(exponent) && y.exact(weights_exponent) && is_finite_sum(found);
  return found;
}

// Each value as a pair of parts whose sums stay exact for 2^headroom rows.
template <bool kNulls>
SplitPairs pairs_of(const double* values, std::size_t count, int exponent, int headroom,
                    double* pairs) {
  const Tag d;
  // As in sum_of(), with 2^headroom rows: the parts are multiples of two units.
  const int unit = exponent + headroom - kMantissa;
  const Vector first = hn::Set(d, rounder(unit));
  const Vector second = hn::Set(d, rounder(unit + headroom - kMantissa));
  Vector left = hn::Zero(d), greatest = hn::Zero(d);
  SplitPairs split;
  const auto one = [&](const double* from, std::uint64_t word, std::size_t i, double* to) HWY_ATTR {
    const Vector v = load<kNulls>(d, from, word, i, split.nulls);
    greatest = hn::Max(hn::Abs(v), greatest);
    const Vector high = hn::Sub(hn::Add(v, first), first);
    const Vector rest = hn::Sub(v, high);
    const Vector low = hn::Sub(hn::Add(rest, second), second);
    // A NaN leaves its bits.
    left = hn::Or(left, hn::Sub(rest, low));
    hn::StoreInterleaved2(high, low, d, to + 2 * i);
  };
  each_word<double>({reinterpret_cast<const std::byte*>(values), count, nullptr},
                    [&](std::size_t row, const double* from, std::uint64_t word) HWY_ATTR {
                      if (word == kAllRows) {
                        for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d))
                          one(from, kAllRows, i, pairs + 2 * row);
                      } else {
                        for (std::size_t i = 0; i < kWordRows; i += hn::Lanes(d))
                          one(from, word, i, pairs + 2 * row);
                      }
                    });
  split.greatest = max_lane(d, greatest);
  split.exact = split.greatest <= power_of_two(exponent) && is_zero(d, left);
  return split;
}

// A row with a null has zeros.
enum class Of : std::uint8_t { kSquares, kProducts, kOnePieceWeights };
template <Of kOf, bool kNulls>
SplitRows rows_of(const double* values, const double* weights, std::size_t count, int exponent,
                  int weights_exponent, RowParts rows) {
  const Tag d;
  constexpr bool kSquares = kOf == Of::kSquares;
  // Single variables, as in add_squares().
  const Splitter v_start(exponent), w_start(weights_exponent);
  const Vector first = v_start.first, second = v_start.second, third = v_start.third;
  const Vector w_first = w_start.first, w_second = w_start.second, w_third = w_start.third;
  Vector left = hn::Zero(d), greatest = hn::Zero(d), greatest_weight = hn::Zero(d);
  Vector sum = hn::Zero(d);
  SplitRows split;
  const auto some = [&](Vector v, Vector w, std::size_t row) HWY_ATTR {
    if constexpr (kNulls) {
      const Mask numbers = kSquares ? hn::Eq(v, v) : hn::And(hn::Eq(v, v), hn::Eq(w, w));
      split.nulls += hn::Lanes(d) - hn::CountTrue(d, numbers);
      v = hn::IfThenElseZero(numbers, v);
      w = hn::IfThenElseZero(numbers, w);
    }
    const Pieces x = pieces_of(v, first, second);
    greatest = hn::Max(hn::Abs(v), greatest);
    left = hn::Or(left, off_grid(x.c, third));
    if constexpr (!kSquares) greatest_weight = hn::Max(hn::Abs(w), greatest_weight);
    if constexpr (kOf == Of::kOnePieceWeights) {
      left = hn::Or(left, off_grid(w, w_first));
      const Vector p0 = hn::Mul(x.a, w);
      sum = hn::Add(sum, p0);
      hn::StoreInterleaved4(p0, hn::Mul(x.b, w), hn::Mul(x.c, w), w, d, rows.first + 4 * row);
    } else {
      ProductSums sums;
      if constexpr (kSquares) {
        sums.add_square(x);
        sums.p3 = hn::Add(sums.p3, sums.p3);
      } else {
        const Pieces y = pieces_of(w, w_first, w_second);
        left = hn::Or(left, off_grid(y.c, w_third));
        sums.add(x, y);
      }
      sum = hn::Add(sum, sums.p0);
      hn::StoreInterleaved4(sums.p0, sums.p1, sums.p2, sums.p3, d, rows.first + 4 * row);
      hn::StoreInterleaved4(sums.p4, sums.w0, sums.w1, sums.w2, d, rows.second + 4 * row);
    }
  };
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    some(hn::LoadU(d, values + i), hn::LoadU(d, (kSquares ? values : weights) + i), i);
  // The last rows are padded with zeros, which are on the grid and add nothing.
  if (i < count) {
    HWY_ALIGN double padded[2][8] = {};
    std::copy(values + i, values + count, padded[0]);
    if (!kSquares) std::copy(weights + i, weights + count, padded[1]);
    some(hn::Load(d, padded[0]), hn::Load(d, padded[1]), i);
  }
  split.greatest_value = max_lane(d, greatest);
  split.greatest_weight = kSquares ? split.greatest_value : max_lane(d, greatest_weight);
  const double total = sum_lanes(d, sum);
  split.exact = split.greatest_value <= power_of_two(exponent) && total == total &&
                is_zero(d, left) &&
                (kSquares || split.greatest_weight <= power_of_two(weights_exponent));
  return split;
}

}  // namespace

SplitSum Sum(const DoubleBlock& block, SplitBound bound) {
  return bound.nulls ? sum_of<true>(block, bound) : sum_of<false>(block, bound);
}
SplitSum SumReals(const RealBlock& block, SplitBound bound) {
  return bound.nulls ? sum_of<true>(block, bound) : sum_of<false>(block, bound);
}
SplitProducts Squares(const DoubleBlock& block, SplitBound bound) {
  return bound.nulls ? squares_of<true>(block, bound.exponent)
                     : squares_of<false>(block, bound.exponent);
}
SplitProducts Products(const DoubleBlock& block, const double* weights, bool nulls,
                       SplitBound bound, SplitBound weights_bound) {
  const int e = bound.exponent;
  const int w = weights_bound.exponent;
  if (weights_bound.one_piece) {
    return nulls ? products_of<true, true>(block, weights, e, w)
                 : products_of<false, true>(block, weights, e, w);
  }
  return nulls ? products_of<true, false>(block, weights, e, w)
               : products_of<false, false>(block, weights, e, w);
}
SplitPairs Pairs(const double* values, std::size_t count, SplitBound bound, int headroom,
                 double* pairs) {
  return bound.nulls ? pairs_of<true>(values, count, bound.exponent, headroom, pairs)
                     : pairs_of<false>(values, count, bound.exponent, headroom, pairs);
}

SplitRows Rows(const double* values, const double* weights, std::size_t count, SplitBound bound,
               SplitBound weights_bound, RowParts rows) {
  const int e = bound.exponent;
  const int w = weights_bound.exponent;
  const bool nulls = bound.nulls || weights_bound.nulls;
  const auto rows_as = [&]<Of kOf>() {
    return nulls ? rows_of<kOf, true>(values, weights, count, e, w, rows)
                 : rows_of<kOf, false>(values, weights, count, e, w, rows);
  };
  if (weights == nullptr) return rows_as.template operator()<Of::kSquares>();
  return weights_bound.one_piece ? rows_as.template operator()<Of::kOnePieceWeights>()
                                 : rows_as.template operator()<Of::kProducts>();
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(Sum);
HWY_EXPORT(SumReals);
HWY_EXPORT(Squares);
HWY_EXPORT(Products);
HWY_EXPORT(Pairs);
HWY_EXPORT(Rows);

SplitSum split_sum(const DoubleBlock& block, SplitBound bound) {
  HDB_DCHECK(block.rows <= kSplitRowsMax, "more pieces than a sum takes without rounding");
  return HWY_DYNAMIC_DISPATCH(Sum)(block, bound);
}

SplitSum split_sum(const RealBlock& block, SplitBound bound) {
  HDB_DCHECK(block.rows <= kSplitRowsMax, "more pieces than a sum takes without rounding");
  return HWY_DYNAMIC_DISPATCH(SumReals)(block, bound);
}

SplitProducts split_products(const DoubleBlock& block, const double* weights, SplitBound bound,
                             SplitBound weights_bound) {
  HDB_DCHECK(block.rows <= kSplitRowsMax, "more pieces than a sum takes without rounding");
  const bool nulls = bound.nulls || weights_bound.nulls;
  return HWY_DYNAMIC_DISPATCH(Products)(block, weights, nulls, bound, weights_bound);
}

SplitProducts split_squares(const DoubleBlock& block, SplitBound bound) {
  HDB_DCHECK(block.rows <= kSplitRowsMax, "more pieces than a sum takes without rounding");
  return HWY_DYNAMIC_DISPATCH(Squares)(block, bound);
}

SplitPairs split_pairs(const double* values, std::size_t count, SplitBound bound, int headroom,
                       double* pairs) {
  return HWY_DYNAMIC_DISPATCH(Pairs)(values, count, bound, headroom, pairs);
}

SplitRows split_rows(const double* values, const double* weights, std::size_t count,
                     SplitBound bound, SplitBound weights_bound, RowParts rows) {
  return HWY_DYNAMIC_DISPATCH(Rows)(values, weights, count, bound, weights_bound, rows);
}

}  // namespace hdbench
#endif  // HWY_ONCE

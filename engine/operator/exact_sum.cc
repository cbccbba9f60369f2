#include "engine/operator/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/kernel/bits.h"

namespace hdbench {
namespace {

// Digits kept below the first number's: errors of products and smaller numbers fall there.
constexpr std::size_t kRoomBelow = 3;
constexpr std::uint32_t kPendingMax = 1u << 30;
constexpr std::int64_t kDigitMask = 0xffffffff;
constexpr int kLowestExponent = -1074;  // of the least significant bit of any double

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
void each_summed(const SumBlock<T>& block, const Take& take) {
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
  each_summed(block, [&](std::size_t row) { found |= block.values[row] != block.values[row]; });
  return found;
}

}  // namespace

void ExactSum::add(double value) {
  if (std::isfinite(value)) {
    if (value != 0) add_finite(value);
  } else if (std::isnan(value)) {
    nan_ = true;
  } else {
    (value > 0 ? positive_infinity_ : negative_infinity_) = true;
  }
}

void ExactSum::save(ByteSink& out) const {
  out.put(base_);
  out.put(pending_);
  out.put(static_cast<std::uint8_t>((positive_infinity_ ? 1 : 0) | (negative_infinity_ ? 2 : 0) |
                                    (nan_ ? 4 : 0) | (all_ ? 8 : 0)));
  if (all_) {
    out.put(*all_);
  } else if (base_ >= 0) {
    out.put(inline_);
  }
}

ExactSum ExactSum::saved(ByteSource& in) {
  ExactSum sum;
  sum.base_ = in.take<std::int16_t>();
  sum.pending_ = in.take<std::uint32_t>();
  const auto flags = in.take<std::uint8_t>();
  sum.positive_infinity_ = (flags & 1) != 0;
  sum.negative_infinity_ = (flags & 2) != 0;
  sum.nan_ = (flags & 4) != 0;
  if ((flags & 8) != 0) {
    sum.all_ = std::make_unique<AllDigits>(in.take<AllDigits>());
  } else if (sum.base_ >= 0) {
    sum.inline_ = in.take<InlineDigits>();
  }
  const bool is_right = sum.base_ >= -1 && sum.pending_ <= kPendingMax &&
                        static_cast<std::size_t>(sum.base_ + 1) <= kAllDigits - kInlineDigits + 1 &&
                        (!sum.all_ || sum.base_ >= 0);
  if (!is_right) in.fail();
  return in.has_failed() ? ExactSum() : std::move(sum);
}

void ExactSum::add_product(double x, double y) {
  const double product = x * y;
  add(product);
  if (std::isfinite(product)) add(std::fma(x, y, -product));
}

void ExactSum::add_finite(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<std::uint32_t>((bits >> 52) & 0x7ff);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent != 0) mantissa |= std::uint64_t{1} << 52;
  const std::uint32_t place =
      exponent == 0 ? 0 : exponent - 1;  // value = mantissa x 2^(place - 1074)
  const std::uint32_t shift = place % kDigitBits;
  const std::uint64_t low_part = mantissa << shift;  // shift < 32, mantissa < 2^53
  const std::uint64_t high_part = shift == 0 ? 0 : mantissa >> (64 - shift);
  auto low = static_cast<std::int64_t>(low_part & kDigitMask);
  auto middle = static_cast<std::int64_t>(low_part >> kDigitBits);
  auto high = static_cast<std::int64_t>(high_part);
  if (value < 0) {
    low = -low;
    middle = -middle;
    high = -high;
  }
  add_at(place / kDigitBits, low, middle, high);
}

void ExactSum::add_at(std::size_t digit, std::int64_t low, std::int64_t middle, std::int64_t high) {
  if (base_ < 0) base_ = static_cast<std::int16_t>(digit < kRoomBelow ? 0 : digit - kRoomBelow);
  if (pending_ >= kPendingMax) {
    if (all_) {
      carry_all(*all_);
    } else {
      carry_all(inline_);
    }
    pending_ = 0;
  }
  ++pending_;
  std::int64_t* digits = nullptr;
  if (!all_) {
    const auto base = static_cast<std::size_t>(base_);
    // The top inline digit takes no number, only carries.
    if (digit >= base && digit + 3 < base + kInlineDigits) {
      digits = inline_.data() + (digit - base);
    } else {
      widen();
    }
  }
  if (digits == nullptr) digits = all_->data() + digit;
  digits[0] += low;
  digits[1] += middle;
  digits[2] += high;
}

void ExactSum::widen() {
  auto all = std::make_unique<AllDigits>();
  all->fill(0);
  std::copy(inline_.begin(), inline_.end(), all->begin() + base_);
  all_ = std::move(all);
}

template <std::size_t kDigits>
void ExactSum::carry_all(std::array<std::int64_t, kDigits>& digits) {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    digits[i + 1] += digits[i] >> kDigitBits;
    digits[i] &= kDigitMask;
  }
}

ExactSum::AllDigits ExactSum::all_digits() const {
  if (all_) return *all_;
  AllDigits digits{};
  if (base_ >= 0) std::copy(inline_.begin(), inline_.end(), digits.begin() + base_);
  return digits;
}

void ExactSum::add(const ExactSum& other) {
  positive_infinity_ |= other.positive_infinity_;
  negative_infinity_ |= other.negative_infinity_;
  nan_ |= other.nan_;
  if (other.base_ < 0) return;
  if (base_ < 0) {
    base_ = other.base_;
    inline_ = other.inline_;
    if (other.all_) all_ = std::make_unique<AllDigits>(*other.all_);
    pending_ = other.pending_;
    return;
  }
  if (!all_ && !other.all_ && add_inline(other)) return;
  if (!all_) widen();
  carry_all(*all_);
  AllDigits theirs = other.all_digits();
  carry_all(theirs);
  for (std::size_t i = 0; i < kAllDigits; ++i) (*all_)[i] += theirs[i];
  pending_ = 2;
}

bool ExactSum::add_inline(const ExactSum& other) {
  carry_all(inline_);
  InlineDigits theirs = other.inline_;
  carry_all(theirs);
  for (std::size_t i = 0; i < kInlineDigits; ++i) {
    const int place = other.base_ + static_cast<int>(i) - base_;
    if (theirs[i] != 0 && (place < 0 || place >= static_cast<int>(kInlineDigits))) return false;
  }
  for (std::size_t i = 0; i < kInlineDigits; ++i) {
    if (theirs[i] != 0) inline_[i + static_cast<std::size_t>(other.base_ - base_)] += theirs[i];
  }
  pending_ = 2;
  return true;
}

template <std::size_t kDigits>
bool ExactSum::make_positive(std::array<std::int64_t, kDigits>& digits) {
  carry_all(digits);
  if (digits.back() >= 0) return false;
  for (std::int64_t& digit : digits) digit = -digit;
  carry_all(digits);
  return true;
}

// Digits of which digit i represents 2^(32 (base + i) - 1074), carried, rounded to nearest, ties to
// even. `digits` is worked on.
template <std::size_t kDigits>
double ExactSum::rounded_of(std::array<std::int64_t, kDigits>& digits, int base) {
  const bool negative = make_positive(digits);
  std::size_t top = kDigits;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The three highest digits have 65 bits at least: 53, a rounding bit, and more. (The highest of
  // all takes carries and may have more than 32.)
  __extension__ typedef unsigned __int128 Wide;
  Wide high = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    const std::uint64_t digit = i <= top ? static_cast<std::uint64_t>(digits[top - i]) : 0;
    high = high << kDigitBits | digit;
  }
  bool rest = false;
  for (std::size_t i = 0; i + 3 < top; ++i) rest |= digits[i] != 0;
  const auto upper = static_cast<std::uint64_t>(high >> 64);  // not zero: the highest digit
  const int shift = 64 + static_cast<int>(std::bit_width(upper)) - 53;
  auto mantissa = static_cast<std::uint64_t>(high >> shift);
  const Wide below = high & ((Wide{1} << shift) - 1);
  const Wide half = Wide{1} << (shift - 1);
  const bool is_odd = (mantissa & 1) != 0;
  if (below > half || (below == half && (rest || is_odd))) ++mantissa;
  const int lowest = (base + static_cast<int>(top) - 3) * kDigitBits + shift;
  const double magnitude = std::ldexp(static_cast<double>(mantissa), lowest + kLowestExponent);
  return negative ? -magnitude : magnitude;
}

// The 128 highest bits.
template <std::size_t kDigits>
WideNumber ExactSum::wide_of(std::array<std::int64_t, kDigits>& digits, int base) {
  const bool negative = make_positive(digits);
  std::size_t top = kDigits;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return {};
  const auto digit = [&](std::size_t i) { return static_cast<std::uint64_t>(digits[i]); };
  WideNumber::Mantissa high = digit(--top);
  while (top > 0 && high >> 96 == 0) high = high << kDigitBits | digit(--top);
  int lowest = (base + static_cast<int>(top)) * kDigitBits;
  if (top > 0) {
    const int free_bits = std::countl_zero(static_cast<std::uint64_t>(high >> 64));
    high = high << free_bits | digit(top - 1) >> (kDigitBits - free_bits);
    lowest -= free_bits;
  }
  return {negative, high, lowest + kLowestExponent};
}

double ExactSum::rounded() const {
  if (nan_ || (positive_infinity_ && negative_infinity_))
    return std::numeric_limits<double>::quiet_NaN();
  if (positive_infinity_) return std::numeric_limits<double>::infinity();
  if (negative_infinity_) return -std::numeric_limits<double>::infinity();
  if (all_) {
    AllDigits digits = *all_;
    return rounded_of(digits, 0);
  }
  if (base_ < 0) return 0;
  InlineDigits digits = inline_;
  return rounded_of(digits, base_);
}

WideNumber ExactSum::wide() const {
  if (base_ < 0) return {};
  if (all_) {
    AllDigits digits = *all_;
    return wide_of(digits, 0);
  }
  InlineDigits digits = inline_;
  return wide_of(digits, base_);
}

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
  each_summed(block, [&](std::size_t row) {
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
  each_summed(block, [&](std::size_t row) {
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

#include "engine/operator/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace hdbench {
namespace {

// Digits kept below the first number's: errors of products and smaller numbers fall there.
constexpr std::size_t kRoomBelow = 3;
constexpr std::uint32_t kPendingMax = 1u << 30;
constexpr std::int64_t kDigitMask = 0xffffffff;
constexpr int kLowestExponent = -1074;  // of the least significant bit of any double

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
      carry(*all_);
    } else {
      carry_inline(inline_);
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

void ExactSum::carry_inline(InlineDigits& digits) {
  for (std::size_t i = 0; i + 1 < kInlineDigits; ++i) {
    digits[i + 1] += digits[i] >> kDigitBits;
    digits[i] &= kDigitMask;
  }
}

void ExactSum::carry(AllDigits& digits) {
  for (std::size_t i = 0; i + 1 < kAllDigits; ++i) {
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
  carry(*all_);
  AllDigits theirs = other.all_digits();
  carry(theirs);
  for (std::size_t i = 0; i < kAllDigits; ++i) (*all_)[i] += theirs[i];
  pending_ = 2;
}

bool ExactSum::add_inline(const ExactSum& other) {
  carry_inline(inline_);
  InlineDigits theirs = other.inline_;
  carry_inline(theirs);
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

double ExactSum::rounded() const {
  if (nan_ || (positive_infinity_ && negative_infinity_))
    return std::numeric_limits<double>::quiet_NaN();
  if (positive_infinity_) return std::numeric_limits<double>::infinity();
  if (negative_infinity_) return -std::numeric_limits<double>::infinity();
  AllDigits digits = all_digits();
  carry(digits);
  const bool negative = digits.back() < 0;
  if (negative) {
    for (std::int64_t& digit : digits) digit = -digit;
    carry(digits);
  }
  std::size_t top = kAllDigits;
  while (top > 0 && digits[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The leading bit's place, then the 53 bits from it down, a rounding bit and the rest as
  // "sticky".
  const auto leading_digit = static_cast<std::uint64_t>(digits[top - 1]);
  const int leading = static_cast<int>((top - 1) * kDigitBits) +
                      static_cast<int>(std::bit_width(leading_digit)) - 1;
  const auto bit_at = [&](int place) -> std::uint64_t {
    return static_cast<std::uint64_t>(digits[static_cast<std::size_t>(place / kDigitBits)] >>
                                      (place % kDigitBits)) &
           1;
  };
  const int lowest = std::max(0, leading - 52);
  std::uint64_t mantissa = 0;
  for (int place = leading; place >= lowest; --place) mantissa = mantissa << 1 | bit_at(place);
  if (lowest > 0 && bit_at(lowest - 1) != 0) {
    bool sticky = (mantissa & 1) != 0;
    for (int place = lowest - 2; place >= 0 && !sticky; --place) sticky = bit_at(place) != 0;
    if (sticky) ++mantissa;
  }
  const double magnitude = std::ldexp(static_cast<double>(mantissa), lowest + kLowestExponent);
  return negative ? -magnitude : magnitude;
}

ExactSum::Pair ExactSum::rounded_pair() const {
  Pair pair;
  pair.high = rounded();
  if (!std::isfinite(pair.high)) return pair;
  ExactSum rest;
  rest.add(*this);
  rest.add(-pair.high);
  pair.low = rest.rounded();
  return pair;
}

}  // namespace hdbench

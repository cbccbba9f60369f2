// Numbers of 128 bits with an exponent, for differences of products of which the leading bits
// cancel: a few instructions an operation, where quads take a call.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace hdbench {

__extension__ typedef __float128 Quad;

// Results are cut to 128 bits: each operation is off by 2^-126 of its result at most, where
// subtraction cancels nothing. Exponents are those of sums of doubles and of a few products of
// them: far from any bound.
class WideNumber {
 public:
  __extension__ typedef unsigned __int128 Mantissa;

  WideNumber() = default;
  // mantissa x 2^exponent.
  WideNumber(bool is_negative, Mantissa mantissa, int exponent)
      : mantissa_(mantissa), exponent_(exponent), is_negative_(is_negative && mantissa != 0) {
    if (mantissa_ == 0) return;
    const auto upper = static_cast<std::uint64_t>(mantissa_ >> 64);
    const int zeros = upper != 0 ? std::countl_zero(upper)
                                 : 64 + std::countl_zero(static_cast<std::uint64_t>(mantissa_));
    mantissa_ <<= zeros;
    exponent_ -= zeros;
  }
  explicit WideNumber(std::uint64_t number) : WideNumber(false, number, 0) {}

  bool is_zero() const { return mantissa_ == 0; }
  bool is_negative() const { return is_negative_; }
  // The same times 2^by.
  WideNumber scaled(int by) const { return {is_negative_, mantissa_, exponent_ + by}; }

  friend WideNumber operator*(const WideNumber& a, const WideNumber& b) {
    const auto high = [](Mantissa of) { return static_cast<std::uint64_t>(of >> 64); };
    const auto low = [](Mantissa of) { return static_cast<std::uint64_t>(of); };
    const Mantissa first = Mantissa{high(a.mantissa_)} * low(b.mantissa_);
    const Mantissa second = Mantissa{low(a.mantissa_)} * high(b.mantissa_);
    const Mantissa lowest = Mantissa{low(a.mantissa_)} * low(b.mantissa_);
    const Mantissa carried = Mantissa{low(first)} + low(second) + high(lowest);
    const Mantissa product = Mantissa{high(a.mantissa_)} * high(b.mantissa_) + high(first) +
                             high(second) + high(carried);
    // The product's bits below are of use where its first one is zero.
    const bool is_short = high(product) >> 63 == 0;
    const Mantissa whole = is_short ? product << 1 | low(carried) >> 63 : product;
    return {a.is_negative_ != b.is_negative_, whole,
            a.exponent_ + b.exponent_ + 128 - (is_short ? 1 : 0)};
  }

  friend WideNumber operator-(const WideNumber& a, const WideNumber& b) {
    const WideNumber negated(!b.is_negative_, b.mantissa_, b.exponent_);
    if (a.is_zero()) return negated;
    if (b.is_zero()) return a;
    return a.exponent_ >= b.exponent_ ? sum(a, negated) : sum(negated, a);
  }

  // Rounded.
  explicit operator Quad() const {
    // A power of two is its exponent alone.
    constexpr int kBias = 16383;
    const Mantissa bits = static_cast<Mantissa>(exponent_ + kBias) << 112;
    Quad power = 0;
    std::memcpy(&power, &bits, sizeof(power));
    const Quad magnitude = static_cast<Quad>(mantissa_) * power;
    return is_negative_ ? -magnitude : magnitude;
  }

 private:
  // Requires: neither is zero; a's exponent is not the lesser one.
  static WideNumber sum(const WideNumber& a, const WideNumber& b) {
    const int apart = a.exponent_ - b.exponent_;
    const Mantissa least = apart >= 128 ? 0 : b.mantissa_ >> apart;
    if (a.is_negative_ == b.is_negative_) {
      // Half of each: the sum may have a bit more.
      return {a.is_negative_, (a.mantissa_ >> 1) + (least >> 1), a.exponent_ + 1};
    }
    return a.mantissa_ >= least ? WideNumber(a.is_negative_, a.mantissa_ - least, a.exponent_)
                                : WideNumber(b.is_negative_, least - a.mantissa_, a.exponent_);
  }

  Mantissa mantissa_ = 0;  // its first bit is set; 0: the number is zero
  int exponent_ = 0;
  bool is_negative_ = false;  // zero is not
};

}  // namespace hdbench

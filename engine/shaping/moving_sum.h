// Sums of a window of numbers that moves: what has left leaves no error behind.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace hdbench {

// hi + lo, unevaluated. The arithmetic is Dekker's and Knuth's; products use fma.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  static DoubleDouble sum(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  static DoubleDouble product(double a, double b) {
    const double p = a * b;
    return {p, std::fma(a, b, -p)};
  }
  DoubleDouble operator+(const DoubleDouble& other) const {
    const DoubleDouble high = sum(hi, other.hi);
    const DoubleDouble low = sum(lo, other.lo);
    const DoubleDouble once = sum(high.hi, high.lo + low.hi);
    return sum(once.hi, once.lo + low.lo);
  }
  DoubleDouble operator-() const { return {-hi, -lo}; }
  DoubleDouble operator*(const DoubleDouble& other) const {
    const DoubleDouble p = product(hi, other.hi);
    return sum(p.hi, p.lo + (hi * other.lo + lo * other.hi));
  }
  double value() const { return hi + lo; }
};

// Sums of the last few numbers, kept while numbers come and go: twice a double's precision, so that
// what has left leaves no error behind. Nulls (NaN) count as absent, infinities are counted apart.
class MovingSum {
 public:
  void add(double x) { change(x, 1); }
  void remove(double x) { change(x, -1); }

  std::int64_t count() const { return count_; }  // of what is not null
  double sum() const {
    if (above_ == 0 && below_ == 0)
      return huge_count_ == 0 ? sum_.value()
                              : sum_.value() + std::ldexp(huge_.value(), kHugeExponent);
    const double infinity = std::numeric_limits<double>::infinity();
    return (above_ != 0 ? infinity : 0) - (below_ != 0 ? infinity : 0);
  }
  // Null of nothing.
  double average() const { return sum() / static_cast<double>(count_); }
  double deviation() const {
    const auto n = static_cast<double>(count_);
    if (count_ == 0 || above_ != 0 || below_ != 0) return std::numeric_limits<double>::quiet_NaN();
    if (huge_count_ != 0) return std::numeric_limits<double>::infinity();
    const DoubleDouble spread = DoubleDouble{n, 0} * squares_ + -(sum_ * sum_);
    return std::sqrt(std::fmax(0.0, spread.value())) / n;
  }

 private:
  void change(double x, int by) {
    if (std::isnan(x)) return;
    count_ += by;
    if (std::isinf(x)) {
      (x > 0 ? above_ : below_) += by;
      return;
    }
    if (std::fabs(x) > kHugeFrom) {
      huge_count_ += by;
      huge_ = huge_ + DoubleDouble{std::ldexp(by * x, -kHugeExponent), 0};
      if (huge_count_ == 0) huge_ = {};
      return;
    }
    sum_ = sum_ + DoubleDouble{by * x, 0};
    squares_ = squares_ + DoubleDouble::product(by * x, x);
  }

  // Numbers whose squares or sums could overflow are summed apart, scaled.
  static constexpr double kHugeFrom = 1e140;
  static constexpr int kHugeExponent = 200;

  DoubleDouble sum_;
  DoubleDouble huge_;
  std::int64_t huge_count_ = 0;
  DoubleDouble squares_;
  std::int64_t count_ = 0;
  std::int64_t above_ = 0;  // positive infinities
  std::int64_t below_ = 0;
};

}  // namespace hdbench

// Order keys: every scalar type mapped to i64 so that integer order is q's order.
//
// Integers, chars, booleans and temporals map to their value. Null is the type's minimum, hence
// first. Floats map to their bits, folded so that order is preserved; every NaN is q's null and
// maps to INT64_MIN, and -0.0 equals 0.0. Reals are widened first. A symbol's key is its code,
// whose order has no meaning.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hdbench {

constexpr std::int64_t float_order_key(double value) {
  if (value != value) return std::numeric_limits<std::int64_t>::min();
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return bits >= 0 ? bits : bits ^ std::numeric_limits<std::int64_t>::max();
}

constexpr double float_from_order_key(std::int64_t key) {
  if (key == std::numeric_limits<std::int64_t>::min())
    return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(key >= 0 ? key : key ^ std::numeric_limits<std::int64_t>::max());
}

}  // namespace hdbench

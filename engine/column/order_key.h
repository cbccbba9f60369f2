// Order keys: every scalar type mapped to i64 so that integer order is q's order.
//
// Integers, chars, booleans and temporals map to their value. Null is the type's minimum, hence
// first. Floats map to their bits, folded so that order is preserved; every NaN is q's null and
// maps to INT64_MIN, and -0.0 equals 0.0. Reals are widened first. A symbol's key is its code,
// whose order has no meaning.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/column/type.h"

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

// An unaligned little-endian load.
template <typename T>
T load_element(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

// The key of a stored element. Symbols give their code, which is below zero only where it is
// outside every domain (a damaged file of 4 or 8-byte codes). Requires: a scalar type of at most 8
// bytes (no guid, no list).
inline std::int64_t element_order_key(QType type, std::uint32_t width, const std::byte* element) {
  if (type == QType::kReal) return float_order_key(load_element<float>(element));
  if (is_floating(type)) return float_order_key(load_element<double>(element));
  switch (width) {
    case 1: return load_element<std::uint8_t>(element);
    case 2:
      if (type == QType::kSymbol) return load_element<std::uint16_t>(element);
      return load_element<std::int16_t>(element);
    case 4: return load_element<std::int32_t>(element);
    default: return load_element<std::int64_t>(element);
  }
}

}  // namespace hdbench

// The order key of a stored element: order_key.h's mapping applied to bytes in a column.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/column/column.h"
#include "engine/column/order_key.h"
#include "engine/column/type.h"

namespace hdbench {

// An unaligned little-endian load.
template <typename T>
T load_element(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

// Symbols give their code, which is below zero only where it is outside every domain (a damaged
// file of 4 or 8-byte codes). Requires: a scalar type of at most 8 bytes (no guid, no list).
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

// The same of a row of a column, whose elements may be offsets. Requires: as above.
inline std::int64_t order_key_at(const Column& column, std::uint64_t row) {
  return column.base +
         element_order_key(column.type, column.width, column.data + row * column.width);
}

}  // namespace hdbench

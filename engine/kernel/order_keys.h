// Converts values to order keys (order_key.h) and back, a vector at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/column/type.h"

namespace hdbench {

// Writes the order keys of `count` packed elements of a scalar type (not guid, symbol or nested). A
// null's key is INT64_MIN whatever the type's width (an element's own key, order_key.h, keeps the
// narrow minimum). Types without a null (boolean, byte, char) have none.
void to_order_keys(QType type, const std::byte* values, std::size_t count, std::int64_t* keys);

// Writes the element that has this key: the inverse of to_order_keys (INT64_MIN gives the type's
// null).
void from_order_key(QType type, std::int64_t key, std::byte* element);

// `count` packed elements of a numeric or temporal type as doubles; nulls as NaN. Codes of chars
// and bytes as numbers.
void to_doubles(QType type, const std::byte* values, std::size_t count, double* doubles);

// Packed symbol codes of width 1, 2, 4 or 8 as 64-bit words.
void to_words(std::uint32_t width, const std::byte* codes, std::size_t count, std::uint64_t* words);

// The keys of a type's infinities: what min and max of nothing give (q: `min 0#0` is 0W).
std::int64_t positive_infinity_key(QType type);
std::int64_t negative_infinity_key(QType type);

}  // namespace hdbench

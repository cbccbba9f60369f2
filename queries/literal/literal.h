// Literals: the constant values in a query's text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "engine/column/type.h"

namespace hdbench::queries {

using Guid = std::array<std::uint8_t, 16>;

// One value. Which alternative holds it follows from the type:
// - booleans, bytes, chars, shorts, ints, longs and integral temporals: i64. kNullLong is the null
//   whatever the width. An infinite temporal is plus or minus kInfinity; an infinite number is its
//   value (0Wh is 32767), as q compares it.
// - reals (widened), floats and datetimes: double, NaN being the null.
// - symbols: string. Guids: Guid, all zero being the null.
struct Atom {
  QType type = QType::kLong;
  std::variant<std::int64_t, double, std::string, Guid> value = std::int64_t{0};
  std::size_t position = 0;  // in the query's text
};

constexpr std::int64_t kInfinity = std::numeric_limits<std::int64_t>::max();

// An atom, or a list of atoms (their types differ only where text like (1;2.5) mixes them).
struct Literal {
  QType type = QType::kLong;  // of the first atom, or of the empty list
  bool is_list = false;
  std::vector<Atom> atoms;
  std::size_t begin = 0;  // in the query's text
  std::size_t end = 0;
};

inline bool is_null(const Atom& atom) {
  if (const auto* integer = std::get_if<std::int64_t>(&atom.value)) return *integer == kNullLong;
  if (const auto* real = std::get_if<double>(&atom.value)) return *real != *real;
  return false;
}

}  // namespace hdbench::queries

// For property tests: expressions drawn at random.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "engine/expression/expression.h"

namespace hdbench {

// Field kRowNumber: i.
constexpr std::size_t kRowNumber = SIZE_MAX;

struct DrawnField {
  std::size_t field = 0;
  QType type = QType::kLong;
};

// An expression of a value of this type, of every operation that gives one; some nodes are read
// several times. Requires: a number or a temporal type, a boolean or a char.
Expression random_expression(std::mt19937_64& random, std::span<const DrawnField> fields,
                             QType type, int depth);

}  // namespace hdbench

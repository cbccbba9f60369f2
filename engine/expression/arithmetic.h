// One operation of an expression over blocks of elements.
//
// A kernel is one loop over plain arrays, compiled for each vector instruction set. It allocates
// nothing and cannot fail: its caller has checked types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/column/type.h"
#include "engine/expression/expression.h"
#include "engine/expression/lines_ahead.h"

namespace hdbench {

inline constexpr std::size_t kNoCast = SIZE_MAX;

// Arguments are arrays of `count` elements without any alignment; `out` is aligned to its elements
// and overlaps no argument.
struct ArithmeticStep {
  Operation operation = Operation::kAdd;
  QType from = QType::kLong;  // of the arguments; kChoose: of the last two
  QType to = QType::kLong;
  std::array<const std::byte*, 3> arguments{};
  // The argument has one value: kBar divides by its first faster then, kIntegerDivide and kModulo
  // by their second.
  std::array<bool, 3> is_constant{};
  // The argument that is of another type, `cast_from`, and is cast on the way; kNoCast: none.
  // Requires: casts_on_the_way() (pair_arithmetic.h).
  std::size_t cast_argument = kNoCast;
  QType cast_from = QType::kLong;
  std::size_t count = 0;
  std::byte* out = nullptr;
  LinesAhead* ahead = nullptr;  // null: nothing is asked for meanwhile
};

// Elements between two calls of LinesAhead::fetch(), by most steps.
constexpr std::size_t kStepStrip = 64;

// Requires: none of the operations on fields, rows, constants, sets, patterns and parts of
// temporals; casts between temporal types only from date to month and back. Symbols are their
// codes, 8 bytes each, which are compared and chosen alone.
void run_step(const ArithmeticStep& step);

// Makes every null of reals or floats the same one.
void make_nulls_one(QType type, std::size_t count, std::byte* elements);

}  // namespace hdbench

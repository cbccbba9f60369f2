// A typed expression over the fields of a table: what arithmetic, functions and comparisons of
// columns in a query's text become when they are bound.
//
// Nodes stand in the order of their evaluation: a node's arguments stand before it, one that
// occurs twice in the text is there once, and the last one is the value. All that has a type is
// settled: casts are nodes, and both arguments of a pair have one representation. A value is an
// array of elements as a column of its type stores them (a boolean: a byte, 0 or 1), or, of a
// constant, one element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/column/domain.h"
#include "engine/column/type.h"

namespace hdbench {

// Integers (short, int, long and integral temporals) wrap; a null argument (the least value, NaN)
// gives a null. Infinities of integers are plain values. Comparisons order nulls first, and equal
// nulls are equal.
enum class Operation : std::uint8_t {
  kField,     // no argument; `field`
  kConstant,  // no argument; `constant`
  kRow,       // no argument: i, the row within its part, a long

  // Two arguments of one representation, which is the result's.
  kAdd,
  kSubtract,
  kMultiply,
  kLesser,         // & of all but booleans; a null is the lesser
  kGreater,        // |
  kFill,           // x^y: y, where it is null x
  kBar,            // x xbar y: y - y mod x, downwards; x = 0: y
  kIntegerDivide,  // x div y, downwards; y = 0: null
  kModulo,         // x mod y, of y's sign; y = 0: x
  // Two floats to a float: by zero an infinity, of two zeros a null.
  kDivide,
  // Two booleans.
  kAnd,
  kOr,

  // Two arguments of one representation to a boolean.
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreaterThan,
  kGreaterEqual,

  // One argument, of the result's representation.
  kNegate,
  kAbsolute,
  // One float to a float. A negative square root or logarithm is null.
  kSquareRoot,
  kExponential,
  kLogarithm,
  kReciprocal,
  // One number to a long, or an int for signum; of a null a null.
  kFloor,
  kCeiling,
  kSignum,  // of a null -1, as q's
  // One argument to a boolean. kNot: whether it is zero.
  kNot,
  kIsNull,

  // One argument to the node's type, by value: numbers widen, or round to the nearest (halves
  // up) when they become integers; temporals as instants or durations, cut downwards
  // (`minute$timestamp: the minute of its day); nulls to nulls.
  kCast,
  // The int part of a temporal: year, month of the year, day of the month, hour, minute, second.
  kYear,
  kMonthOfYear,
  kDayOfMonth,
  kHour,
  kMinuteOfHour,
  kSecondOfMinute,

  // Three arguments: a boolean, then two of the result's representation.
  kChoose,

  // One argument to a boolean: whether its order key (order_key.h), or its symbol's code, is in
  // `set`, which rises.
  kInSet,
  // One argument to a long: the place of its order key, or its symbol's code, in `set`, which
  // rises; kBin: of the last that is at most it, -1: none. kPlace: of the same one, else -1.
  kPlace,
  kBin,
  // One argument, a long, to the element of that place in `set`, which holds order keys or codes of
  // the node's type; outside of it a null, which is the last.
  kPick,
  // A list to a long: how many items it has.
  kItemCount,
  // One argument to a boolean: whether its string, char or symbol matches `pattern`.
  kLike,
};

// How many of `arguments` an operation has.
inline std::size_t argument_count(Operation operation) {
  switch (operation) {
    case Operation::kField:
    case Operation::kConstant:
    case Operation::kRow: return 0;
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kLesser:
    case Operation::kGreater:
    case Operation::kFill:
    case Operation::kBar:
    case Operation::kIntegerDivide:
    case Operation::kModulo:
    case Operation::kDivide:
    case Operation::kAnd:
    case Operation::kOr:
    case Operation::kEqual:
    case Operation::kNotEqual:
    case Operation::kLess:
    case Operation::kLessEqual:
    case Operation::kGreaterThan:
    case Operation::kGreaterEqual: return 2;
    case Operation::kChoose: return 3;
    default: return 1;
  }
}

struct ExpressionNode {
  Operation operation = Operation::kConstant;
  QType type = QType::kLong;  // of the value
  std::array<std::uint32_t, 3> arguments{};
  std::size_t field = 0;                // kField: of the schema
  std::array<std::byte, 8> constant{};  // kConstant: the element, from the first byte on
  std::vector<std::int64_t> set;        // kInSet, kPlace, kBin, kPick
  std::string pattern;                  // kLike
  // Symbols that are no field's: kConstant (a code of 8 bytes), kPick.
  std::shared_ptr<const Domain> domain = {};

  bool operator==(const ExpressionNode&) const = default;
};

struct Expression {
  std::vector<ExpressionNode> nodes;          // never empty
  std::shared_ptr<const Domain> domain = {};  // of a value that is a symbol

  QType type() const { return nodes.back().type; }
  bool operator==(const Expression&) const = default;
};

}  // namespace hdbench

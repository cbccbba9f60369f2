// The functions of the language: names, how many arguments they take, what they need.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/expression/expression.h"
#include "engine/operator/plan.h"

namespace hdbench::queries {

enum class FunctionKind : std::uint8_t {
  kOperation,   // of each row: `operation`
  kTest,        // in, within, like: the second argument is a literal
  kAggregate,   // of many rows: `aggregate`
  kCast,        // $
  kDistinct,    // of a list; behind count an aggregate
  kList,        // of a list, to another one: asc, 2#, x where c
  kUniform,     // of the rows so far: `uniform`
  kFby,         // (aggregate;values) fby keys
  kSymbols,     // of each symbol's text: upper, lower
  kItemCount,   // count each
  kBin,         // list bin x
  kApply,       // a dictionary or a list of literals, and an index
  kDictionary,  // of two lists of literals
  kMissing,     // q has it, hdbench not yet
};

struct Function {
  std::string_view name;
  std::size_t arity = 1;  // 1: before its argument; 2: between its two; 3: in brackets
  FunctionKind kind = FunctionKind::kMissing;
  Operation operation = Operation::kConstant;
  Aggregate aggregate = Aggregate::kNone;
  std::string_view takes = {};  // what its arguments must be
  Uniform uniform = Uniform::kSums;
};

// The function of that name before one argument, between two, or with brackets around three; null:
// there is none. Names that q has and hdbench lacks are found, too.
const Function* find_function(std::string_view name, std::size_t arity);

// The function of that name, whatever it takes.
const Function* find_function(std::string_view name);

}  // namespace hdbench::queries

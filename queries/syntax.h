// A parsed query: names and literals as the text has them, nothing resolved.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/operator/plan.h"
#include "queries/literal.h"

namespace hdbench {

struct Name {
  std::string text;
  std::size_t position = 0;  // in the query's text
};

// One item of the select phrase: [alias:] column | aggregate column | weights wavg column | count i
struct ColumnItem {
  std::optional<Name> alias;
  Aggregate aggregate = Aggregate::kNone;
  std::optional<Name> column;  // nothing: count i
  std::optional<Name> weights;
  std::size_t position = 0;  // of the item, past its alias
};

struct ByItem {
  std::optional<Name> alias;
  Name column;
};

enum class Comparison {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kWithin,
  kIn,
  kLike,
};

// column comparison value; a literal on the left has been flipped to the right.
struct ParsedCondition {
  Name column;
  Comparison comparison = Comparison::kEqual;
  std::size_t comparison_position = 0;
  Literal value;
  bool negated = false;
  std::size_t begin = 0;  // of the whole condition, with its `not` and parentheses
  std::size_t end = 0;
};

struct ParsedQuery {
  std::string text;
  bool is_exec = false;
  std::vector<ColumnItem> columns;  // none: all columns
  std::vector<ByItem> by;
  Name table;
  std::vector<ParsedCondition> where;
};

}  // namespace hdbench

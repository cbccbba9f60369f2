// Expressions and syntax trees as text, for tests: every function before its arguments.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "queries/expression/expression_builder.h"
#include "queries/syntax.h"
#include "queries/testing/sample_table.h"

namespace hdbench::queries {

// +[bid;*[2;ask]]
inline std::string syntax_text(const Syntax& syntax, std::string_view text) {
  if (syntax.kind == SyntaxKind::kName) return syntax.text;
  if (syntax.kind == SyntaxKind::kLiteral) {
    return std::string(text.substr(syntax.begin, syntax.end - syntax.begin));
  }
  std::string shown = syntax.kind == SyntaxKind::kCall ? syntax.text + "[" : "(";
  for (const Syntax& argument : syntax.arguments) {
    shown += (&argument == syntax.arguments.data() ? "" : ";") + syntax_text(argument, text);
  }
  return shown + (syntax.kind == SyntaxKind::kCall ? "]" : ")");
}

inline std::string operation_text(Operation operation) {
  constexpr std::array<std::string_view, 41> kNames = {
      "field", "constant", "row",    "add",    "subtract", "multiply", "lesser", "greater", "fill",
      "bar",   "div",      "mod",    "divide", "and",      "or",       "equal",  "differ",  "less",
      "le",    "more",     "ge",     "neg",    "abs",      "sqrt",     "exp",    "log",     "recip",
      "floor", "ceiling",  "signum", "not",    "null",     "cast",     "year",   "month",   "day",
      "hour",  "minute",   "second", "choose", "set"};
  const auto at = static_cast<std::size_t>(operation);
  return at < kNames.size() ? std::string(kNames[at]) : "like";
}

// 2f, 5i, 0Nj, 1b: a float without decimals where it has none.
inline std::string constant_text(const ExpressionNode& node) {
  const Atom atom = constant_atom(node);
  const std::string letter(1, type_letter(node.type));
  if (is_null(atom)) return "0N" + letter;
  if (const auto* real = std::get_if<double>(&atom.value))
    return fmt::format("{}{}", *real, letter);
  return fmt::format("{}{}", std::get<std::int64_t>(atom.value), letter);
}

// add(bid,2f); a type before what is cast: float(ix).
inline std::string expression_text(const Expression& expression, std::size_t at,
                                   const Schema& schema) {
  const ExpressionNode& node = expression.nodes[at];
  switch (node.operation) {
    case Operation::kField:
      return node.field < schema.fields.size() ? schema.fields[node.field].name
                                               : fmt::format("#{}", node.field);
    case Operation::kConstant: return constant_text(node);
    case Operation::kRow: return "i";
    default: break;
  }
  std::string shown = node.operation == Operation::kCast ? std::string(type_name(node.type))
                                                         : operation_text(node.operation);
  shown += "(";
  for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
    shown += (a == 0 ? "" : ",") + expression_text(expression, node.arguments[a], schema);
  }
  for (const std::int64_t key : node.set) shown += fmt::format(",{}", key);
  if (node.operation == Operation::kLike) shown += "," + node.pattern;
  return shown + ")";
}

inline std::string expression_text(const Expression& expression, const Schema& schema) {
  return expression_text(expression, expression.nodes.size() - 1, schema);
}

// The only computed field of a query that has one item, and its type: add(bid,2f):float.
inline std::string bound_text(const std::string& item) {
  const Plan plan = bind_good("select " + item + " from quote");
  if (plan.computed.size() != 1) return fmt::format("{} computed fields", plan.computed.size());
  const Expression& expression = plan.computed.front().expression;
  return expression_text(expression, sample_table().schema()) + ":" +
         std::string(type_name(expression.type()));
}

}  // namespace hdbench::queries

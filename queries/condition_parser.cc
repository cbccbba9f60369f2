#include "queries/condition_parser.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "queries/literal_parser.h"

namespace hdbench {
namespace {

constexpr int kDepthMax = 100;
constexpr std::string_view kOperatorExpected = "a comparison (= <> < <= > >= within in like)";
constexpr std::string_view kOperandExpected = "a column or a literal";

struct Operator {
  std::string_view text;
  Comparison comparison;
  // What it becomes when its sides are swapped; nothing where they cannot be.
  std::optional<Comparison> flipped;
};

constexpr std::array kOperators = {
    Operator{"=", Comparison::kEqual, Comparison::kEqual},
    Operator{"<>", Comparison::kNotEqual, Comparison::kNotEqual},
    Operator{"<", Comparison::kLess, Comparison::kGreater},
    Operator{"<=", Comparison::kLessEqual, Comparison::kGreaterEqual},
    Operator{">", Comparison::kGreater, Comparison::kLess},
    Operator{">=", Comparison::kGreaterEqual, Comparison::kLessEqual},
    Operator{"within", Comparison::kWithin, std::nullopt},
    Operator{"in", Comparison::kIn, std::nullopt},
    Operator{"like", Comparison::kLike, std::nullopt},
};

const Operator* find_operator(const Token& token) {
  if (token.kind != TokenKind::kMark && token.kind != TokenKind::kName) return nullptr;
  for (const Operator& one : kOperators) {
    if (one.text == token.text) return &one;
  }
  return nullptr;
}

// What an opening parenthesis may hold, and what a comparison stands between.
using Term = std::variant<Name, Literal, ParsedCondition>;

std::size_t begin_of(const Term& term) {
  if (const auto* name = std::get_if<Name>(&term)) return name->position;
  if (const auto* literal = std::get_if<Literal>(&term)) return literal->begin;
  return std::get<ParsedCondition>(term).begin;
}

class ConditionParser {
 public:
  explicit ConditionParser(TokenReader& reader) : reader_(reader) {}

  // A condition, or an operand alone.
  Result<Term> expression(int depth) {
    if (depth > kDepthMax) {
      return text_error("nested too deeply for a condition", reader_.peek().begin);
    }
    if (reader_.at_name("not")) return negation(depth);
    HDB_ASSIGN(Term left, operand(depth));
    const Operator* found = find_operator(reader_.peek());
    if (found == nullptr) return left;
    const Token token = reader_.take();
    HDB_ASSIGN(Term right, operand(depth));
    return compare(std::move(left), *found, token, std::move(right));
  }

 private:
  Result<Term> negation(int depth) {
    const std::size_t begin = reader_.take().begin;
    HDB_ASSIGN(Term term, expression(depth + 1));
    if (!std::holds_alternative<ParsedCondition>(term)) {
      return unexpected(reader_.peek(), kOperatorExpected);
    }
    auto condition = std::get<ParsedCondition>(std::move(term));
    condition.negated = !condition.negated;
    condition.begin = begin;
    return Term(std::move(condition));
  }

  Result<Term> operand(int depth) {
    if (reader_.at_mark("(")) return parenthesis(depth);
    if (at_literal(reader_)) {
      HDB_ASSIGN(Literal literal, parse_literal(reader_));
      return Term(std::move(literal));
    }
    const Token& token = reader_.peek();
    if (token.kind != TokenKind::kName || is_keyword(token.text) || reader_.at_function()) {
      return unexpected(token, kOperandExpected);
    }
    return Term(Name{reader_.take().text, token.begin});
  }

  // ( condition ) or ( operand ) or (a;b;...).
  Result<Term> parenthesis(int depth) {
    const Token open = reader_.take();
    if (reader_.at_mark(")")) {
      return text_error("() has no type: write an empty list as `long$() or `symbol$()",
                        open.begin);
    }
    HDB_ASSIGN(Term term, expression(depth + 1));
    if (reader_.at_mark(";")) {
      auto* literal = std::get_if<Literal>(&term);
      if (literal == nullptr) {
        return text_error("a list in parentheses holds literals only", begin_of(term));
      }
      HDB_ASSIGN(Literal list, parse_list_rest(reader_, std::move(*literal), open.begin));
      return Term(std::move(list));
    }
    if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
    if (auto* literal = std::get_if<Literal>(&term)) {
      literal->begin = open.begin;
      literal->end = reader_.previous_end();
    } else if (auto* condition = std::get_if<ParsedCondition>(&term)) {
      condition->begin = open.begin;
      condition->end = reader_.previous_end();
    }
    return term;
  }

  Result<Term> compare(Term left, const Operator& found, const Token& token, Term right) {
    for (const Term* side : {&left, &right}) {
      if (std::holds_alternative<ParsedCondition>(*side)) {
        return text_error("a condition cannot be compared with anything", begin_of(*side));
      }
    }
    const std::size_t begin = begin_of(left);
    auto comparison = std::optional(found.comparison);
    if (std::holds_alternative<Literal>(left) && std::holds_alternative<Name>(right)) {
      comparison = found.flipped;
      std::swap(left, right);
    }
    if (!comparison) {
      return text_error(fmt::format("'{}' needs its column on the left", found.text), token.begin);
    }
    if (std::holds_alternative<Name>(right)) {
      return text_error("comparing two columns is not supported, only a column with a literal",
                        begin_of(right));
    }
    if (std::holds_alternative<Literal>(left)) {
      return text_error("neither side of the comparison is a column", begin);
    }
    ParsedCondition condition;
    condition.column = std::get<Name>(std::move(left));
    condition.comparison = *comparison;
    condition.comparison_position = token.begin;
    condition.value = std::get<Literal>(std::move(right));
    condition.begin = begin;
    condition.end = reader_.previous_end();
    return Term(std::move(condition));
  }

  TokenReader& reader_;
};

}  // namespace

Result<ParsedCondition> parse_condition(TokenReader& reader) {
  HDB_ASSIGN(Term term, ConditionParser(reader).expression(0));
  auto* condition = std::get_if<ParsedCondition>(&term);
  if (condition == nullptr) return unexpected(reader.peek(), kOperatorExpected);
  return std::move(*condition);
}

}  // namespace hdbench

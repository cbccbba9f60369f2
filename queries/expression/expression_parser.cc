#include "queries/expression/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "queries/expression/functions.h"
#include "queries/literal/literal_parser.h"
#include "queries/query_parser.h"

namespace hdbench::queries {
namespace {

constexpr std::string_view kOperandExpected = "a column, a literal or a function";

bool is_missing(const Function* function) {
  return function != nullptr && function->kind == FunctionKind::kMissing;
}

Error not_yet(const Token& token) {
  return text_error(fmt::format("not supported yet: {}", token.text), token.begin);
}

Syntax make_call(const Token& function, std::size_t begin, std::vector<Syntax> arguments) {
  const std::size_t end = arguments.back().end;
  return {SyntaxKind::kCall, function.text, function.begin, {}, std::move(arguments), begin, end};
}

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader& reader) : reader_(reader) {}

  Result<Syntax> expression(int depth) {
    if (depth > kSyntaxDepthMax) return text_error("nested too deeply", reader_.peek().begin);
    if (at_prefix()) return prefix(depth);
    HDB_ASSIGN(Syntax left, operand(depth));
    const Token& verb = reader_.peek();
    const bool may_be = verb.kind == TokenKind::kMark || verb.kind == TokenKind::kName;
    const Function* function = may_be ? find_function(verb.text, 2) : nullptr;
    if (function == nullptr) return left;
    if (is_missing(function)) return not_yet(verb);
    const Token taken = reader_.take();
    HDB_ASSIGN(Syntax right, expression(depth + 1));
    const std::size_t begin = left.begin;
    std::vector<Syntax> arguments;
    arguments.push_back(std::move(left));
    arguments.push_back(std::move(right));
    return make_call(taken, begin, std::move(arguments));
  }

 private:
  // Whether the token that is so far ahead can begin an operand.
  bool begins_operand(std::size_t ahead) const {
    const Token& token = reader_.peek(ahead);
    switch (token.kind) {
      case TokenKind::kNumber:
      case TokenKind::kSymbol:
      case TokenKind::kString: return true;
      case TokenKind::kName: {
        return is_query_word(token.text) || token.text == "not" ||
               (!is_keyword(token.text) && find_function(token.text, 2) == nullptr);
      }
      case TokenKind::kMark:
        return token.text == "(" ||
               (find_function(token.text) != nullptr && reader_.at_mark("[", ahead + 1));
      case TokenKind::kEnd: return false;
    }
    return false;
  }

  // A function's name without an argument is a column's; not and enlist are always functions.
  bool at_prefix() const {
    const Token& token = reader_.peek();
    if (token.kind != TokenKind::kName || token.text == "enlist") return false;
    if (find_function(token.text, 1) == nullptr || reader_.at_mark("[", 1)) return false;
    return token.text == "not" || begins_operand(1);
  }

  Result<Syntax> prefix(int depth) {
    const Token token = reader_.take();
    if (is_missing(find_function(token.text, 1))) return not_yet(token);
    HDB_ASSIGN(Syntax argument, expression(depth + 1));
    std::vector<Syntax> arguments;
    arguments.push_back(std::move(argument));
    return make_call(token, token.begin, std::move(arguments));
  }

  Result<Syntax> operand(int depth) {
    const Token token = reader_.peek();
    if (reader_.at_mark("(")) return parenthesis(depth);
    if (token.kind == TokenKind::kMark && reader_.at_mark("[", 1) &&
        find_function(token.text) != nullptr) {
      return brackets(depth);
    }
    if (at_literal(reader_)) return literal();
    if (token.kind != TokenKind::kName) return unexpected(token, kOperandExpected);
    if (is_query_word(token.text)) return query(depth);
    if (reader_.at_mark("[", 1)) return brackets(depth);
    if (is_keyword(token.text)) return unexpected(token, kOperandExpected);
    reader_.take();
    return Syntax{SyntaxKind::kName, token.text, token.begin, {}, {}, token.begin, token.end};
  }

  // exec sym from t: all that follows.
  Result<Syntax> query(int depth) {
    const Token token = reader_.peek();
    if (token.text != "exec" && token.text != "select") return not_yet(token);
    HDB_ASSIGN(Query query, parse_query_at(reader_, depth + 1));
    Syntax made{SyntaxKind::kQuery, {}, token.begin, {}, {}, token.begin, reader_.previous_end()};
    made.query = std::make_shared<const Query>(std::move(query));
    return made;
  }

  Result<Syntax> literal() {
    HDB_ASSIGN(Literal literal, parse_literal(reader_));
    Syntax made{SyntaxKind::kLiteral, {}, literal.begin, {}, {}, literal.begin, literal.end};
    made.literal = std::move(literal);
    return made;
  }

  // f[x], f[x;y], ?[c;a;b].
  Result<Syntax> brackets(int depth) {
    const Token token = reader_.take();
    if (find_function(token.text) == nullptr) {
      return text_error(fmt::format("'{}' is no function of q", token.text), token.begin);
    }
    const bool is_supported = std::any_of(kArities.begin(), kArities.end(), [&](auto arity) {
      const Function* function = find_function(token.text, arity);
      return function != nullptr && !is_missing(function);
    });
    if (!is_supported) return not_yet(token);
    reader_.take();
    std::vector<Syntax> arguments;
    do {
      HDB_ASSIGN(Syntax argument, expression(depth + 1));
      arguments.push_back(std::move(argument));
    } while (reader_.accept_mark(";"));
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "';' or ']'");
    const Function* function = find_function(token.text, arguments.size());
    if (function == nullptr || is_missing(function)) {
      return text_error(fmt::format("'rank: {} takes {} arguments, found {}", token.text,
                                    find_function(token.text)->arity, arguments.size()),
                        token.begin);
    }
    Syntax made = make_call(token, token.begin, std::move(arguments));
    made.end = reader_.previous_end();
    return made;
  }

  // (expression) or (a;b;...).
  Result<Syntax> parenthesis(int depth) {
    const Token open = reader_.take();
    if (reader_.at_mark(")")) {
      return text_error("() has no type: write an empty list as `long$() or `symbol$()",
                        open.begin);
    }
    const bool is_table = reader_.at_mark("[") && reader_.at_mark("]", 1);
    if (is_table) {
      reader_.take();
      reader_.take();
    }
    std::vector<Syntax> elements;
    do {
      HDB_ASSIGN(Syntax element, expression(depth + 1));
      elements.push_back(std::move(element));
    } while (reader_.accept_mark(";"));
    if (is_table && reader_.accept_mark(")")) {
      return Syntax{SyntaxKind::kList,     "[]", open.begin, {}, std::move(elements), open.begin,
                    reader_.previous_end()};
    }
    if (!reader_.accept_mark(")")) {
      return unexpected(reader_.peek(), elements.size() == 1 ? "')'" : "';' or ')'");
    }
    if (elements.size() > 1) return list(std::move(elements), open.begin);
    Syntax inner = std::move(elements.front());
    inner.begin = open.begin;
    inner.end = reader_.previous_end();
    if (inner.kind == SyntaxKind::kLiteral) {
      inner.literal.begin = inner.begin;
      inner.literal.end = inner.end;
    }
    return inner;
  }

  Result<Syntax> list(std::vector<Syntax> elements, std::size_t begin) {
    const std::size_t end = reader_.previous_end();
    const bool is_literal = std::all_of(elements.begin(), elements.end(), [](const Syntax& one) {
      return one.kind == SyntaxKind::kLiteral;
    });
    if (!is_literal)
      return Syntax{SyntaxKind::kList, {}, begin, {}, std::move(elements), begin, end};
    std::vector<Literal> literals;
    for (Syntax& element : elements) literals.push_back(std::move(element.literal));
    Syntax made{SyntaxKind::kLiteral, {}, begin, {}, {}, begin, end};
    HDB_ASSIGN(made.literal, make_list(std::move(literals), begin, end));
    return made;
  }

  static constexpr std::array<std::size_t, 3> kArities = {1, 2, 3};

  TokenReader& reader_;
};

}  // namespace

Result<Syntax> parse_expression(TokenReader& reader, int depth) {
  return ExpressionParser(reader).expression(depth);
}

}  // namespace hdbench::queries

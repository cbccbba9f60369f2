#include "queries/expression/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "queries/expression/functions.h"
#include "queries/literal/literal_comparison.h"
#include "queries/literal/literal_parser.h"
#include "queries/query_parser.h"
#include "queries/stage_words.h"

namespace hdbench::queries {
namespace {

constexpr std::string_view kOperandExpected = "a column, a literal or a function";

bool is_missing(const Function* function) {
  return function != nullptr && function->kind == FunctionKind::kMissing;
}

Error not_yet(const Token& token) {
  return text_error(fmt::format("not supported yet: {}", token.text), token.begin);
}

std::size_t node_count(const Syntax& syntax) {
  std::size_t nodes = 1;
  for (const Syntax& argument : syntax.arguments) nodes += node_count(argument);
  return nodes;
}

// Of x where c a function of each item is the function of x, where c.
bool chooses_first(const Token& function, std::vector<Syntax>& arguments) {
  const Function* known = find_function(function.text, arguments.size());
  const bool is_of_items =
      known != nullptr && known->kind == FunctionKind::kOperation && arguments.size() <= 2;
  const auto is_chosen = [](const Syntax& one) { return one.is_call("where", 2); };
  const auto is_literal = [](const Syntax& one) { return one.kind == SyntaxKind::kLiteral; };
  return is_of_items && is_chosen(arguments.back()) &&
         std::all_of(arguments.begin(), arguments.end() - 1, is_literal);
}

Syntax make_call(const Token& function, std::size_t begin, std::vector<Syntax> arguments) {
  const std::size_t end = arguments.back().end;
  if (chooses_first(function, arguments)) {
    Syntax chosen = std::move(arguments.back());
    arguments.back() = std::move(chosen.arguments[0]);
    chosen.arguments[0] = make_call(function, begin, std::move(arguments));
    chosen.begin = begin;
    return chosen;
  }
  return {SyntaxKind::kCall, function.text, function.begin, {}, std::move(arguments), begin, end};
}

bool is_literal_list(const Syntax& syntax) {
  return syntax.kind == SyntaxKind::kLiteral && syntax.literal.is_list;
}
bool is_dictionary(const Syntax& syntax) {
  return syntax.is_call("!", 2) || syntax.is_call("`s#!", 2);
}

// A stage of the table that a query within gives: max exec size from t.
Syntax query_of_stage(const Token& word, std::vector<std::int64_t> numbers, const Syntax& of) {
  TableSyntax table{TableForm::kQuery, {{}, of.begin}, {}};
  table.query = of.query;
  TableSyntax stage{TableForm::kStage, {word.text, word.begin}, {}};
  stage.numbers = std::move(numbers);
  stage.of.push_back(std::move(table));
  Query query;
  query.table = std::move(stage);
  Syntax made = of;
  made.query = std::make_shared<const Query>(std::move(query));
  return made;
}

// What is copied, and copied again where it nests, is limited.
Status is_short(const Syntax& syntax) {
  constexpr std::size_t kCopiedNodesMax = 1000;
  if (node_count(syntax) <= kCopiedNodesMax) return ok_status();
  return text_error("nested too deeply", syntax.begin);
}

// Each item beside the one before it: what `prior` makes of these operators is known by name.
Result<Syntax> prior_of(const Token& mark, Syntax x) {
  const std::size_t begin = x.begin;
  if (mark.text == "-" || mark.text == "%")
    return make_call(
        {TokenKind::kName, mark.begin, mark.end, mark.text == "-" ? "deltas" : "ratios"}, begin,
        {std::move(x)});
  if (!comparison_of(mark.text))
    return text_error(fmt::format("not supported yet: ({}) prior", mark.text), mark.begin);
  HDB_TRY(is_short(x));
  Syntax before = make_call({TokenKind::kName, mark.begin, mark.end, "prev"}, begin, {x});
  return make_call(mark, begin, {std::move(x), std::move(before)});
}

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenReader& reader) : reader_(reader) {}

  Result<Syntax> expression(int depth) {
    if (depth > kSyntaxDepthMax) return text_error("nested too deeply", reader_.peek().begin);
    if (at_prefix()) return prefix(depth);
    HDB_ASSIGN(Syntax left, operand(depth));
    if ((is_dictionary(left) || is_literal_list(left)) && begins_operand(0))
      return applied(std::move(left), depth);
    const Token& verb = reader_.peek();
    const bool may_be = verb.kind == TokenKind::kMark || verb.kind == TokenKind::kName;
    const Function* function = may_be ? find_function(verb.text, 2) : nullptr;
    if (function == nullptr) return left;
    if (is_missing(function)) return not_yet(verb);
    const Token taken = reader_.take();
    HDB_ASSIGN(Syntax right, expression(depth + 1));
    const std::size_t begin = left.begin;
    if (taken.text == "!") return dictionary(taken, std::move(left), std::move(right));
    if (taken.text == "#" && is_attribute(left) && (is_dictionary(right) || is_literal_list(right)))
      return with_attribute(left, std::move(right));
    if (right.kind == SyntaxKind::kQuery && is_stage_word(taken.text, StageLeft::kNumbers)) {
      HDB_ASSIGN(std::vector<std::int64_t> numbers, row_numbers(left, taken));
      return query_of_stage(taken, std::move(numbers), right);
    }
    std::vector<Syntax> arguments;
    arguments.push_back(std::move(left));
    arguments.push_back(std::move(right));
    return make_call(taken, begin, std::move(arguments));
  }

 private:
  // (09:30 16:00!`open`close)[x], 10 20 30[x]
  Result<Syntax> indexed(Syntax of, int depth) {
    const bool has_index = is_dictionary(of) || is_literal_list(of);
    if (!has_index || !reader_.accept_mark("[")) return of;
    HDB_ASSIGN(Syntax made, applied(std::move(of), depth));
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    return made;
  }

  // A dictionary or a list, and its index.
  Result<Syntax> applied(Syntax left, int depth) {
    HDB_ASSIGN(Syntax index, expression(depth + 1));
    const Token apply{TokenKind::kMark, left.begin, left.end, "@"};
    const std::size_t begin = left.begin;
    return make_call(apply, begin, {std::move(left), std::move(index)});
  }

  static Result<Syntax> dictionary(const Token& mark, Syntax keys, Syntax values) {
    const bool are_lists = keys.kind == SyntaxKind::kLiteral && values.kind == SyntaxKind::kLiteral;
    const std::size_t begin = keys.begin;
    if (!are_lists)
      return text_error("a dictionary is of two lists of literals: 09:30 16:00!`open`close", begin);
    if (keys.literal.atoms.size() != values.literal.atoms.size() || keys.literal.atoms.empty())
      return text_error(fmt::format("'length: {} keys for {} values", keys.literal.atoms.size(),
                                    values.literal.atoms.size()),
                        mark.begin);
    return make_call(mark, begin, {std::move(keys), std::move(values)});
  }

  // `s#, `p#, ...: sorted keys make a step dictionary, others change no value.
  static bool is_attribute(const Syntax& left) {
    if (left.kind != SyntaxKind::kLiteral || left.literal.type != QType::kSymbol) return false;
    if (left.literal.atoms.size() != 1) return false;
    const auto& name = std::get<std::string>(left.literal.atoms.front().value);
    return name == "s" || name == "u" || name == "p" || name == "g";
  }
  static Syntax with_attribute(const Syntax& left, Syntax right) {
    const bool is_sorted = std::get<std::string>(left.literal.atoms.front().value) == "s";
    if (is_sorted && is_dictionary(right)) right.text = "`s#!";  // a step dictionary
    right.begin = left.begin;
    return right;
  }

  static Result<std::vector<std::int64_t>> row_numbers(const Syntax& left, const Token& word) {
    std::vector<std::int64_t> numbers;
    const std::size_t most = word.text == "sublist" ? 2 : 1;
    for (const Atom& atom : left.literal.atoms) {
      const auto* number = std::get_if<std::int64_t>(&atom.value);
      if (number != nullptr && !is_null(atom) && atom.type <= QType::kLong)
        numbers.push_back(*number);
    }
    if (left.kind == SyntaxKind::kLiteral && !numbers.empty() && numbers.size() <= most &&
        numbers.size() == left.literal.atoms.size())
      return numbers;
    return text_error(fmt::format("'type: {} takes a number of rows on its left", word.text),
                      left.begin);
  }

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
    return token.text == "not" || begins_operand(1) || at_each();
  }

  // count each x
  bool at_each() const { return reader_.at_name("count") && reader_.peek(1).text == "each"; }

  Result<Syntax> prefix(int depth) {
    const bool is_each = at_each();
    Token token = reader_.take();
    if (is_each) token.text += " " + reader_.take().text;
    if (token.text == "til" || token.text == "key" || token.text == "value") {
      HDB_ASSIGN(Syntax argument, expression(depth + 1));
      return known_of(token, std::move(argument));
    }
    if (is_missing(find_function(token.text, 1))) return not_yet(token);
    HDB_ASSIGN(Syntax argument, expression(depth + 1));
    if (argument.kind == SyntaxKind::kQuery && is_stage_word(token.text, StageLeft::kNothing))
      return query_of_stage(token, {}, argument);
    std::vector<Syntax> arguments;
    arguments.push_back(std::move(argument));
    return make_call(token, token.begin, std::move(arguments));
  }

  // til 5: the list 0 1 2 3 4.
  static Result<Syntax> numbers_below(const Token& word, Syntax number) {
    constexpr std::int64_t kMost = 65536;
    Literal& literal = number.literal;
    const bool is_whole =
        !literal.is_list && literal.type >= QType::kShort && literal.type <= QType::kLong;
    const std::int64_t count = is_whole ? std::get<std::int64_t>(literal.atoms[0].value) : -1;
    if (count < 0 || count > kMost)
      return text_error(fmt::format("'type: til takes a whole number from 0 to {}", kMost),
                        number.begin);
    literal.atoms.clear();
    for (std::int64_t i = 0; i < count; ++i) literal.atoms.push_back({QType::kLong, i, word.begin});
    literal.type = QType::kLong;
    literal.is_list = true;
    number.begin = literal.begin = word.begin;
    return number;
  }

  // The keys or the values of a dictionary; til count x, which numbers the rows of a group.
  static Result<Syntax> known_of(const Token& word, Syntax argument) {
    if (word.text == "til" && argument.is_call("count", 1)) {
      Syntax row{SyntaxKind::kName, "i", argument.begin, {}, {}, argument.begin, argument.end};
      return make_call({TokenKind::kName, word.begin, word.end, "rank"}, word.begin,
                       {std::move(row)});
    }
    if (word.text == "til" && argument.kind == SyntaxKind::kLiteral)
      return numbers_below(word, std::move(argument));
    if (word.text == "til" || !is_dictionary(argument)) return not_yet(word);
    Syntax list = argument.arguments[word.text == "key" ? 0 : 1];
    list.literal.is_list = true;
    list.begin = word.begin;
    return list;
  }

  Result<Syntax> operand(int depth) {
    const Token token = reader_.peek();
    if (reader_.at_mark("(")) {
      if (reader_.peek(1).kind == TokenKind::kMark && reader_.at_mark(")", 2)) return prior(depth);
      HDB_ASSIGN(Syntax inner, parenthesis(depth));
      return indexed(std::move(inner), depth);
    }
    if (reader_.at_mark("$") && reader_.at_mark("[", 1)) {
      return text_error("'type: $[c;a;b] takes one boolean, not a column of them: write ?[c;a;b]",
                        token.begin);
    }
    if (token.kind == TokenKind::kMark && reader_.at_mark("[", 1) &&
        find_function(token.text) != nullptr) {
      return brackets(depth);
    }
    if (at_literal(reader_)) {
      HDB_ASSIGN(Syntax made, literal());
      return indexed(std::move(made), depth);
    }
    if (token.kind != TokenKind::kName) return unexpected(token, kOperandExpected);
    if (is_query_word(token.text)) return query(depth);
    if (reader_.at_mark("[", 1)) return brackets(depth);
    if (is_keyword(token.text)) return unexpected(token, kOperandExpected);
    reader_.take();
    return Syntax{SyntaxKind::kName, token.text, token.begin, {}, {}, token.begin, token.end};
  }

  // (<) prior x
  Result<Syntax> prior(int depth) {
    reader_.take();
    const Token mark = reader_.take();
    reader_.take();
    if (!reader_.accept_name("prior")) return unexpected(reader_.peek(), "prior");
    HDB_ASSIGN(Syntax x, expression(depth + 1));
    return prior_of(mark, std::move(x));
  }

  // exec sym from t: all that follows.
  Result<Syntax> query(int depth) {
    const Token token = reader_.peek();
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
    if (token.text == "til" || token.text == "key" || token.text == "value") {
      reader_.take();
      HDB_ASSIGN(Syntax argument, expression(depth + 1));
      if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
      HDB_ASSIGN(Syntax made, known_of(token, std::move(argument)));
      made.end = reader_.previous_end();
      return made;
    }
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
    if (token.text == "!")
      return dictionary(token, std::move(arguments[0]), std::move(arguments[1]));
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
    if (const std::size_t words = composed_words(); words != 0)
      return composition(words, open.begin, depth);
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

  // How many functions stand before an @ and a semicolon: (sums differ@;price).
  std::size_t composed_words() const {
    std::size_t words = 0;
    while (reader_.peek(words).kind == TokenKind::kName &&
           find_function(reader_.peek(words).text, 1) != nullptr)
      ++words;
    return words > 1 && reader_.at_mark("@", words) && reader_.at_mark(";", words + 1) ? words : 0;
  }

  // (f g@;x) fby k is (f;(g;x) fby k) fby k.
  Result<Syntax> composition(std::size_t words, std::size_t begin, int depth) {
    std::vector<Token> functions;
    for (std::size_t word = 0; word < words; ++word) functions.push_back(reader_.take());
    reader_.take();
    reader_.take();
    HDB_ASSIGN(Syntax value, expression(depth + 1));
    if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
    if (!reader_.accept_name("fby")) return unexpected(reader_.peek(), "fby");
    HDB_ASSIGN(const Syntax keys, expression(depth + 1));
    HDB_TRY(is_short(keys));
    const std::size_t end = reader_.previous_end();
    for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
      Syntax name{SyntaxKind::kName, function->text, function->begin, {}, {},
                  function->begin,   function->end};
      Syntax pair{
          SyntaxKind::kList, {}, begin, {}, {std::move(name), std::move(value)}, begin, end};
      value = call_of("fby", {std::move(pair), keys});
      value.position = function->begin;
    }
    return value;
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

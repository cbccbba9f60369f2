#include "queries/table_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "queries/expression/expression_parser.h"
#include "queries/expression/functions.h"
#include "queries/functional_form.h"
#include "queries/literal/literal_parser.h"
#include "queries/query_parser.h"
#include "queries/stage_words.h"

namespace hdbench::queries {
namespace {

constexpr auto kJoinVerbs = std::to_array<std::string_view>({"lj", "ij", "uj", "pj", ","});
constexpr auto kJoinsByColumns =
    std::to_array<std::string_view>({"aj", "aj0", "ajf", "ajf0", "ej"});

template <typename Words>
bool is_one_of(const Token& token, const Words& words) {
  return (token.kind == TokenKind::kName || token.kind == TokenKind::kMark) &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

bool is_stage(const Token& token, StageLeft left) {
  return (token.kind == TokenKind::kName || token.kind == TokenKind::kMark) &&
         is_stage_word(token.text, left);
}

TableSyntax named(TableForm kind, const Token& word) { return {kind, {word.text, word.begin}, {}}; }

class TableParser {
 public:
  TableParser(TokenReader& reader, int depth, TableCommas commas)
      : reader_(reader), depth_(depth), commas_(commas) {}

  Result<TableSyntax> run() {
    if (depth_ > kSyntaxDepthMax) return text_error("nested too deeply", reader_.peek().begin);
    const TokenKind first = reader_.peek().kind;
    if (first == TokenKind::kSymbol) return stage_of_symbols();
    if (first == TokenKind::kNumber) return stage_of_numbers();
    HDB_ASSIGN(TableSyntax left, operand());
    const Token verb = reader_.peek();
    const bool joins =
        is_one_of(verb, kJoinVerbs) && (verb.text != "," || commas_ == TableCommas::kJoin);
    if (!joins) {
      HDB_TRY(no_missing_verb());
      return left;
    }
    reader_.take();
    HDB_ASSIGN(TableSyntax right, inner());
    TableSyntax join = named(TableForm::kJoin, verb);
    join.of.push_back(std::move(left));
    join.of.push_back(std::move(right));
    return join;
  }

 private:
  Result<TableSyntax> inner() { return parse_table(reader_, depth_ + 1, commas_); }
  // In brackets or parentheses a comma joins.
  Result<TableSyntax> enclosed() { return parse_table(reader_, depth_ + 1, TableCommas::kJoin); }

  Result<TableSyntax> stage(const Token& word) {
    TableSyntax made = named(TableForm::kStage, word);
    HDB_ASSIGN(TableSyntax of, inner());
    made.of.push_back(std::move(of));
    return made;
  }

  // `a`b xasc t
  Result<TableSyntax> stage_of_symbols() {
    const std::size_t begin = reader_.peek().begin;
    HDB_ASSIGN(std::vector<Name> keys, columns());
    if (keys.empty()) return text_error("found no symbols, expected names of columns", begin);
    const Token word = reader_.take();
    if (!is_stage(word, StageLeft::kSymbols))
      return unexpected(word, "xasc, xdesc, xkey, xcol, # or _");
    HDB_ASSIGN(TableSyntax made, stage(word));
    made.keys = std::move(keys);
    return made;
  }

  // 10#t, 2 5 sublist t, 0!t
  Result<TableSyntax> stage_of_numbers() {
    HDB_ASSIGN(const Literal left, parse_literal(reader_));
    std::vector<std::int64_t> numbers;
    for (const Atom& atom : left.atoms) {
      const auto* number = std::get_if<std::int64_t>(&atom.value);
      if (number == nullptr || is_null(atom) || atom.type > QType::kLong)
        return text_error("'type: the left side is a number of rows", atom.position);
      numbers.push_back(*number);
    }
    const Token word = reader_.take();
    if (!is_stage(word, StageLeft::kNumbers)) return unexpected(word, "#, _, ! or sublist");
    if (numbers.size() > (word.text == "sublist" ? 2U : 1U))
      return text_error(fmt::format("'type: {} takes one number", word.text), word.begin);
    HDB_ASSIGN(TableSyntax made, stage(word));
    made.numbers = std::move(numbers);
    return made;
  }

  // `a`b, or enlist `a
  Result<std::vector<Name>> columns() {
    HDB_ASSIGN(const Literal literal, parse_literal(reader_));
    std::vector<Name> names;
    for (const Atom& atom : literal.atoms) {
      if (atom.type != QType::kSymbol)
        return text_error("'type: names of columns, such as `sym`time", atom.position);
      names.push_back({std::get<std::string>(atom.value), atom.position});
    }
    return names;
  }

  Result<TableSyntax> operand() {
    if (reader_.accept_mark("(")) {
      HDB_ASSIGN(TableSyntax inner, enclosed());
      if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
      return inner;
    }
    const Token token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    if (begins_functional_form(reader_)) return functional();
    if (is_name && is_query_word(token.text)) {
      HDB_ASSIGN(Query query, parse_query_at(reader_, depth_ + 1));
      TableSyntax table{TableForm::kQuery, {{}, token.begin}, {}};
      table.query = std::make_shared<const Query>(std::move(query));
      return table;
    }
    if (reader_.at_name("raze") && reader_.at_mark("{", 1)) return each();
    const bool has_brackets = is_name && reader_.at_mark("[", 1);
    if (has_brackets && token.text == "tables" && reader_.at_mark("]", 2)) {
      for (int word = 0; word < 3; ++word) reader_.take();
      return named(TableForm::kTables, token);
    }
    if (has_brackets && is_one_of(token, kJoinsByColumns)) return join_by_columns();
    if (has_brackets && (token.text == "wj" || token.text == "wj1")) return window_join();
    if (is_stage(token, StageLeft::kNothing) && has_brackets) return stage_in_brackets();
    if (is_stage(token, StageLeft::kNothing) && !ends_table(1)) {
      reader_.take();
      return stage(token);
    }
    const Function* function = is_name ? find_function(token.text) : nullptr;
    const bool is_of_table = function != nullptr && reader_.peek(1).kind != TokenKind::kEnd &&
                             function->kind == FunctionKind::kMissing && !ends_table(1);
    if (is_of_table) {
      return text_error(fmt::format("not supported yet: {} of a table", token.text), token.begin);
    }
    if (!is_name || is_keyword(token.text)) return unexpected(token, "a table's name or a query");
    reader_.take();
    return named(TableForm::kName, token);
  }

  // Whether what is so far ahead is behind a table.
  bool ends_table(std::size_t ahead) const {
    const Token& token = reader_.peek(ahead);
    constexpr auto kEnds = std::to_array<std::string_view>({"where", ")", ";", "]"});
    return token.kind == TokenKind::kEnd || is_one_of(token, kEnds) || is_one_of(token, kJoinVerbs);
  }

  // count[t]
  Result<TableSyntax> stage_in_brackets() {
    TableSyntax made = named(TableForm::kStage, reader_.take());
    reader_.take();
    HDB_ASSIGN(TableSyntax of, enclosed());
    made.of.push_back(std::move(of));
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    return made;
  }

  Result<TableSyntax> functional() {
    HDB_ASSIGN(Query query, parse_functional_form(reader_, depth_ + 1));
    TableSyntax table{TableForm::kQuery, {{}, reader_.peek().begin}, {}};
    table.query = std::make_shared<const Query>(std::move(query));
    return table;
  }

  // raze {select from t where sym=x} each exec ...
  Result<TableSyntax> each() {
    TableSyntax made = named(TableForm::kEach, reader_.take());
    reader_.take();
    HDB_ASSIGN(TableSyntax body, enclosed());
    if (!reader_.accept_mark("}")) return unexpected(reader_.peek(), "'}'");
    if (!reader_.accept_name("each") && !reader_.accept_name("peach"))
      return unexpected(reader_.peek(), "each or peach");
    if (at_literal(reader_)) {
      return text_error("each takes the values of a query here, such as exec distinct sym from t",
                        reader_.peek().begin);
    }
    HDB_ASSIGN(TableSyntax values, inner());
    made.of.push_back(std::move(body));
    made.of.push_back(std::move(values));
    return made;
  }

  // aj[`a`b;t;u]
  Result<TableSyntax> join_by_columns() {
    TableSyntax join = named(TableForm::kJoin, reader_.take());
    reader_.take();
    HDB_TRY(key_columns(join));
    for (int side = 0; side < 2; ++side) HDB_TRY(next_table(join));
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    return join;
  }

  Status key_columns(TableSyntax& join) {
    if (!at_literal(reader_))
      return unexpected(reader_.peek(), "the columns to join by, such as `sym`time");
    HDB_ASSIGN(join.keys, columns());
    return ok_status();
  }

  Status next_table(TableSyntax& join) {
    if (!reader_.accept_mark(";")) return unexpected(reader_.peek(), "';' and a table");
    HDB_ASSIGN(TableSyntax table, enclosed());
    join.of.push_back(std::move(table));
    return ok_status();
  }

  // wj[-1 1+\:exec time from t;`sym`time;t;(u;(max;`ask))]
  Result<TableSyntax> window_join() {
    TableSyntax join = named(TableForm::kJoin, reader_.take());
    reader_.take();
    WindowJoin windows;
    HDB_ASSIGN(const TableSyntax times, window_ends(windows));
    if (!reader_.accept_mark(";")) return unexpected(reader_.peek(), "';' and the columns");
    HDB_TRY(key_columns(join));
    const std::size_t begin = reader_.peek(1).begin;
    HDB_TRY(next_table(join));
    HDB_TRY(check_same_rows(times, join.of.front(), begin));
    windows.column = {times.query->columns.front().expression.text,
                      times.query->columns.front().expression.position};
    if (!reader_.accept_mark(";") || !reader_.accept_mark("("))
      return unexpected(reader_.peek(), "';' and (table;(function;`column))");
    HDB_ASSIGN(TableSyntax right, enclosed());
    join.of.push_back(std::move(right));
    while (reader_.accept_mark(";")) {
      HDB_ASSIGN(WindowAggregate aggregate, window_aggregate());
      windows.aggregates.push_back(std::move(aggregate));
    }
    if (windows.aggregates.empty() || !reader_.accept_mark(")"))
      return unexpected(reader_.peek(), "';' and (function;`column)");
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    join.windows = std::make_shared<const WindowJoin>(std::move(windows));
    return join;
  }

  // What +\: adds to each end; the table whose column the windows lie around.
  Result<TableSyntax> window_ends(WindowJoin& windows) {
    constexpr std::string_view kForm = "the windows as -0D00:00:01 0D00:00:01+\\:exec time from t";
    const std::size_t place = reader_.peek().begin;
    const bool is_enclosed = reader_.at_mark("(") && !reader_.at_mark(")", 2) && at_pair_sum();
    if (is_enclosed) reader_.take();
    Literal ends;
    const bool is_list = reader_.accept_mark("(");
    if (!at_literal(reader_))
      return text_error(fmt::format("found no windows, expected {}", kForm), place);
    HDB_ASSIGN(ends, parse_literal(reader_));
    if (is_list && reader_.accept_mark(";")) {
      HDB_ASSIGN(Literal high, parse_literal(reader_));
      std::vector<Literal> both;
      both.push_back(std::move(ends));
      both.push_back(std::move(high));
      HDB_ASSIGN(ends, make_list(std::move(both), place, reader_.previous_end()));
    }
    if (is_list && !reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
    const bool adds = reader_.accept_mark("+") && reader_.accept_mark("\\") &&
                      reader_.accept_mark(":") && ends.atoms.size() == 2;
    if (!adds) return text_error(fmt::format("found other windows, expected {}", kForm), place);
    for (const Atom& atom : ends.atoms) {
      Syntax end{SyntaxKind::kLiteral, {}, atom.position, {}, {}, ends.begin, ends.end};
      end.literal = Literal{atom.type, false, {atom}, ends.begin, ends.end};
      windows.ends.push_back(std::move(end));
    }
    HDB_ASSIGN(TableSyntax times, enclosed());
    if (is_enclosed && !reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
    const bool is_column = times.kind == TableForm::kQuery && times.query->is_exec &&
                           times.query->columns.size() == 1 && times.query->by.empty() &&
                           times.query->columns.front().expression.kind == SyntaxKind::kName;
    if (!is_column)
      return text_error(fmt::format("found other windows, expected {}", kForm), place);
    return times;
  }

  // Whether the parenthesis here is around the sum, not around the pair alone.
  bool at_pair_sum() const {
    std::size_t depth = 0;
    for (std::size_t ahead = 0; reader_.peek(ahead).kind != TokenKind::kEnd; ++ahead) {
      if (reader_.at_mark("(", ahead)) ++depth;
      if (reader_.at_mark(")", ahead) && --depth == 0) return !reader_.at_mark("+", ahead + 1);
    }
    return false;
  }

  // The windows are of the left table's rows: of the table itself, or of the same rows of it.
  static Status check_same_rows(const TableSyntax& times, const TableSyntax& left,
                                std::size_t place) {
    const bool is_same = are_alike(times.query->table, left) && times.query->where.empty();
    const bool are_same_rows = left.kind == TableForm::kQuery && left.query->by.empty() &&
                               !left.query->limit.position && !left.query->distinct &&
                               are_alike(times.query->table, left.query->table) &&
                               are_alike(times.query->where, left.query->where);
    if (is_same || are_same_rows) return ok_status();
    return text_error("the windows are of other rows than this table: write exec ... from the same",
                      place);
  }

  Result<WindowAggregate> window_aggregate() {
    WindowAggregate made;
    if (!reader_.accept_mark("(")) return unexpected(reader_.peek(), "(function;`column)");
    const Token function = reader_.take();
    made.function = {function.text, function.begin};
    while (reader_.accept_mark(";")) {
      if (reader_.peek().kind != TokenKind::kSymbol)
        return unexpected(reader_.peek(), "a column, such as `ask");
      const Token& column = reader_.take();
      made.columns.push_back({column.text, column.begin});
    }
    const Function* known = find_function(function.text, made.columns.size());
    if (known == nullptr || known->kind != FunctionKind::kAggregate)
      return text_error("wj takes aggregates of columns, such as (max;`ask)", function.begin);
    if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
    return made;
  }

  // `t asof u`.
  Status no_missing_verb() const {
    const Token& token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    const Function* function = is_name ? find_function(token.text, 2) : nullptr;
    if (function == nullptr || function->kind != FunctionKind::kMissing) return ok_status();
    return text_error(fmt::format("not supported yet: {}", token.text), token.begin);
  }

  TokenReader& reader_;
  int depth_;
  TableCommas commas_;
};

}  // namespace

Result<TableSyntax> parse_table(TokenReader& reader, int depth, TableCommas commas) {
  return TableParser(reader, depth, commas).run();
}

bool begins_table(const TokenReader& reader) {
  const Token& first = reader.peek();
  if (first.kind == TokenKind::kSymbol || first.kind == TokenKind::kNumber || reader.at_mark("(") ||
      begins_functional_form(reader))
    return true;
  if (first.kind != TokenKind::kName) return false;
  if (is_query_word(first.text) || first.text == "raze") return true;
  if (is_keyword(first.text)) return false;
  return is_stage(first, StageLeft::kNothing) || find_function(first.text) != nullptr ||
         is_one_of(reader.peek(1), kJoinVerbs);
}

}  // namespace hdbench::queries

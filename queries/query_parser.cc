#include "queries/query_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "queries/expression/expression_parser.h"
#include "queries/expression/functions.h"
#include "queries/lexer.h"
#include "queries/literal/literal_parser.h"

namespace hdbench::queries {
namespace {

bool begins_query(const TokenReader& reader) {
  return reader.peek().kind == TokenKind::kName && is_query_word(reader.peek().text);
}

Result<TableSyntax> parse_table(TokenReader& reader, int depth);

// select ..., exec ..., update ...
class QueryParser {
 public:
  QueryParser(TokenReader& reader, int depth, Query& query)
      : reader_(reader), depth_(depth), query_(query) {}

  Status run() {
    const std::string verb = reader_.take().text;
    query_.is_exec = verb == "exec";
    query_.is_update = verb == "update";
    HDB_TRY(select_phrase());
    if (reader_.accept_name("by")) HDB_TRY(items(query_.by, "an operator, a comma or from"));
    if (!reader_.accept_name("from")) return unexpected(reader_.peek(), "from");
    HDB_ASSIGN(query_.table, parse_table(reader_, depth_ + 1));
    if (reader_.accept_name("where")) HDB_TRY(where_phrase());
    return ok_status();
  }

 private:
  // [5], [-5], [2 5], [>price], [5;>price]
  Status limit() {
    query_.limit.position = reader_.take().begin;
    if (reader_.peek().kind == TokenKind::kNumber) {
      HDB_ASSIGN(Literal rows, parse_literal(reader_));
      query_.limit.rows = std::move(rows.atoms);
      if (reader_.accept_mark("]")) return ok_status();
      if (!reader_.accept_mark(";")) return unexpected(reader_.peek(), "';' or ']'");
    }
    query_.limit.descending = reader_.at_mark(">");
    if (!reader_.accept_mark("<") && !reader_.accept_mark(">")) {
      return unexpected(reader_.peek(), !query_.limit.rows.empty() ? "< or > and a column"
                                                                   : "a number of rows, < or >");
    }
    const Token name = reader_.take();
    if (name.kind != TokenKind::kName) return unexpected(name, "a column to sort by");
    query_.limit.columns.push_back({name.text, name.begin});
    if (reader_.accept_mark("]")) return ok_status();
    return unexpected(reader_.peek(), "']'");
  }

  bool at_phrase() const { return reader_.at_name("from") || reader_.at_name("by"); }

  Status select_phrase() {
    if (reader_.at_mark("[")) HDB_TRY(limit());
    if (reader_.at_name("distinct") && !reader_.at_mark(",", 1) && !reader_.at_mark(":", 1)) {
      query_.distinct = reader_.take().begin;
    }
    if (at_phrase()) return ok_status();
    if (reader_.accept_mark("*")) {
      if (at_phrase()) return ok_status();
      return unexpected(reader_.peek(), "by or from after *, which is all columns");
    }
    return items(query_.columns, "an operator, a comma, by or from");
  }

  Status items(std::vector<ParsedItem>& items, std::string_view expected) {
    do {
      ParsedItem item;
      HDB_ASSIGN(item.alias, optional_alias());
      if (reader_.at_mark("*")) {
        return text_error("* is all columns and must be alone", reader_.peek().begin);
      }
      HDB_ASSIGN(item.expression, parse_expression(reader_, depth_ + 1));
      items.push_back(std::move(item));
    } while (reader_.accept_mark(","));
    const bool is_done = &items == &query_.by ? reader_.at_name("from") : at_phrase();
    return is_done ? ok_status() : Status(unexpected(reader_.peek(), expected));
  }

  Result<std::optional<Name>> optional_alias() {
    if (reader_.peek().kind != TokenKind::kName || !reader_.at_mark(":", 1)) {
      return std::optional<Name>();
    }
    const Token& token = reader_.peek();
    if (is_keyword(token.text)) return unexpected(token, "a name that is no word of q-SQL");
    Name alias{token.text, token.begin};
    reader_.take();
    reader_.take();
    return std::optional<Name>(std::move(alias));
  }

  Status where_phrase() {
    do {
      HDB_ASSIGN(Syntax condition, parse_expression(reader_, depth_ + 1));
      query_.where.push_back(std::move(condition));
    } while (reader_.accept_mark(","));
    return ok_status();
  }

  TokenReader& reader_;
  int depth_;
  Query& query_;
};

// What gives a table: a name, a query, joins and sorts of them. Read from right to left as an
// expression is.
class TableParser {
 public:
  TableParser(TokenReader& reader, int depth) : reader_(reader), depth_(depth) {}

  Result<TableSyntax> run() {
    if (depth_ > kSyntaxDepthMax) return text_error("nested too deeply", reader_.peek().begin);
    if (reader_.peek().kind == TokenKind::kSymbol) return sort();
    HDB_ASSIGN(TableSyntax left, operand());
    const Token verb = reader_.peek();
    if (!reader_.accept_name("lj") && !reader_.accept_name("ij")) {
      HDB_TRY(no_missing_verb());
      return left;
    }
    HDB_ASSIGN(TableSyntax right, parse_table(reader_, depth_ + 1));
    TableSyntax join{TableForm::kJoin, {verb.text, verb.begin}, {}};
    join.of.push_back(std::move(left));
    join.of.push_back(std::move(right));
    return join;
  }

 private:
  // `a`b xasc t
  Result<TableSyntax> sort() {
    TableSyntax sort{TableForm::kSort, {}, {}};
    HDB_ASSIGN(sort.keys, columns());
    const Token verb = reader_.take();
    sort.name = {verb.text, verb.begin};
    const bool is_sort = verb.kind == TokenKind::kName &&
                         (verb.text == "xasc" || verb.text == "xdesc" || verb.text == "xkey");
    if (!is_sort) return unexpected(verb, "xasc, xdesc or xkey");
    HDB_ASSIGN(TableSyntax sorted, parse_table(reader_, depth_ + 1));
    sort.of.push_back(std::move(sorted));
    return sort;
  }

  Result<std::vector<Name>> columns() {
    HDB_ASSIGN(const Literal literal, parse_literal(reader_));
    std::vector<Name> names;
    for (const Atom& atom : literal.atoms)
      names.push_back({std::get<std::string>(atom.value), atom.position});
    return names;
  }

  Result<TableSyntax> operand() {
    if (reader_.accept_mark("(")) {
      HDB_ASSIGN(TableSyntax inner, parse_table(reader_, depth_ + 1));
      if (!reader_.accept_mark(")")) return unexpected(reader_.peek(), "')'");
      return inner;
    }
    if (begins_query(reader_)) {
      const std::size_t begin = reader_.peek().begin;
      HDB_ASSIGN(Query query, parse_query_at(reader_, depth_ + 1));
      TableSyntax table{TableForm::kQuery, {{}, begin}, {}};
      table.query = std::make_shared<const Query>(std::move(query));
      return table;
    }
    const Token token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    if (is_name && (token.text == "ungroup" || token.text == "meta") && !ends_table(1)) {
      reader_.take();
      const TableForm kind = token.text == "meta" ? TableForm::kMeta : TableForm::kUngroup;
      TableSyntax rows{kind, {token.text, token.begin}, {}};
      HDB_ASSIGN(TableSyntax of, parse_table(reader_, depth_ + 1));
      rows.of.push_back(std::move(of));
      return rows;
    }
    if (is_name && token.text == "tables" && reader_.at_mark("[", 1) && reader_.at_mark("]", 2)) {
      for (int word = 0; word < 3; ++word) reader_.take();
      return TableSyntax{TableForm::kTables, {token.text, token.begin}, {}};
    }
    if (is_name && (token.text == "aj" || token.text == "aj0") && reader_.at_mark("[", 1))
      return as_of();
    const Function* function = is_name ? find_function(token.text) : nullptr;
    const bool is_of_table = function != nullptr && reader_.peek(1).kind != TokenKind::kEnd &&
                             function->kind == FunctionKind::kMissing && !ends_table(1);
    if (is_of_table) {
      return text_error(fmt::format("not supported yet: {} of a table", token.text), token.begin);
    }
    if (!is_name || is_keyword(token.text)) return unexpected(token, "a table's name or a query");
    reader_.take();
    return TableSyntax{TableForm::kName, {token.text, token.begin}, {}};
  }

  // Whether what is so far ahead is behind a table.
  bool ends_table(std::size_t ahead) const {
    const Token& token = reader_.peek(ahead);
    return token.kind == TokenKind::kEnd || token.text == "where" || token.text == "lj" ||
           token.text == "ij" || token.text == ")" || token.text == ";" || token.text == "]" ||
           token.text == ",";
  }

  // aj[`a`b;t;u]
  Result<TableSyntax> as_of() {
    const Token word = reader_.take();
    reader_.take();
    TableSyntax join{TableForm::kJoin, {word.text, word.begin}, {}};
    if (reader_.peek().kind != TokenKind::kSymbol) {
      return unexpected(reader_.peek(), "the columns to join by, such as `sym`time");
    }
    HDB_ASSIGN(join.keys, columns());
    for (int side = 0; side < 2; ++side) {
      if (!reader_.accept_mark(";")) return unexpected(reader_.peek(), "';' and a table");
      HDB_ASSIGN(TableSyntax table, parse_table(reader_, depth_ + 1));
      join.of.push_back(std::move(table));
    }
    if (!reader_.accept_mark("]")) return unexpected(reader_.peek(), "']'");
    return join;
  }

  // `t uj u`.
  Status no_missing_verb() const {
    const Token& token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    const Function* function = is_name ? find_function(token.text, 2) : nullptr;
    if (function == nullptr || function->kind != FunctionKind::kMissing) return ok_status();
    return text_error(fmt::format("not supported yet: {}", token.text), token.begin);
  }

  TokenReader& reader_;
  int depth_;
};

Result<TableSyntax> parse_table(TokenReader& reader, int depth) {
  return TableParser(reader, depth).run();
}

// A query, a sort or a join, or a function of tables that hdbench lacks.
bool begins_whole(const TokenReader& reader) {
  const Token& first = reader.peek();
  if (first.kind == TokenKind::kSymbol || reader.at_mark("(") || begins_query(reader)) return true;
  if (first.kind != TokenKind::kName || is_keyword(first.text)) return false;
  const Token& second = reader.peek(1);
  return find_function(first.text) != nullptr ||
         (second.kind == TokenKind::kName && (second.text == "lj" || second.text == "ij"));
}

// The whole text: a query, or a table made otherwise, which is selected as it is.
Result<Query> parse_whole(TokenReader& reader) {
  const Token first = reader.peek();
  if (!begins_whole(reader)) return unexpected(first, "select or exec");
  HDB_ASSIGN(TableSyntax table, parse_table(reader, 0));
  if (table.kind == TableForm::kName) return unexpected(first, "select or exec");
  if (table.kind == TableForm::kQuery) return *table.query;
  Query query;
  query.table = std::move(table);
  return query;
}

void add_tables(const Query& query, std::vector<Name>& tables);

void add_tables(const TableSyntax& syntax, std::vector<Name>& tables) {
  if (syntax.kind == TableForm::kQuery) return add_tables(*syntax.query, tables);
  for (const TableSyntax& part : syntax.of) add_tables(part, tables);
  if (syntax.kind != TableForm::kName) return;
  const auto is_same = [&](const Name& one) { return one.text == syntax.name.text; };
  if (std::none_of(tables.begin(), tables.end(), is_same)) tables.push_back(syntax.name);
}

void add_tables(const Syntax& syntax, std::vector<Name>& tables) {
  if (syntax.query != nullptr) add_tables(*syntax.query, tables);
  for (const Syntax& argument : syntax.arguments) add_tables(argument, tables);
}

void add_tables(const Query& query, std::vector<Name>& tables) {
  add_tables(query.table, tables);
  for (const ParsedItem& item : query.columns) add_tables(item.expression, tables);
  for (const ParsedItem& item : query.by) add_tables(item.expression, tables);
  for (const Syntax& condition : query.where) add_tables(condition, tables);
}

std::string_view expected_at_end(const Query& query) {
  return query.where.empty() ? "where or the end of the query"
                             : "an operator, a comma or the end of the query";
}

}  // namespace

Result<Query> parse_query_at(TokenReader& reader, int depth) {
  if (depth > kSyntaxDepthMax) return text_error("nested too deeply", reader.peek().begin);
  Query query;
  HDB_TRY(QueryParser(reader, depth, query).run());
  return query;
}

Result<Query> parse_query(std::string_view text) {
  HDB_ASSIGN(std::vector<Token> tokens, lex(text));
  TokenReader reader(std::move(tokens));
  HDB_ASSIGN(Query query, parse_whole(reader));
  if (reader.at_mark(";") && reader.peek(1).kind == TokenKind::kEnd) reader.take();
  if (reader.peek().kind != TokenKind::kEnd) {
    return unexpected(reader.peek(), expected_at_end(query));
  }
  query.text = std::string(text);
  add_tables(query, query.tables);
  return query;
}

}  // namespace hdbench::queries

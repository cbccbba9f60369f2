#include "queries/query_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "queries/definitions.h"
#include "queries/expression/expression_parser.h"
#include "queries/expression/functions.h"
#include "queries/lexer.h"
#include "queries/literal/literal_parser.h"
#include "queries/table_parser.h"

namespace hdbench::queries {
namespace {

// select ..., exec ..., update ..., delete ...
class QueryParser {
 public:
  QueryParser(TokenReader& reader, int depth, Query& query)
      : reader_(reader), depth_(depth), query_(query) {}

  Status run() {
    const std::string verb = reader_.take().text;
    query_.is_exec = verb == "exec";
    query_.is_update = verb == "update";
    if (verb == "delete") return delete_phrases();
    HDB_TRY(select_phrase());
    if (reader_.accept_name("by")) HDB_TRY(items(query_.by, "an operator, a comma or from"));
    if (!reader_.accept_name("from")) return unexpected(reader_.peek(), "from");
    return from_phrase();
  }

 private:
  Status from_phrase() {
    HDB_ASSIGN(query_.table, parse_table(reader_, depth_ + 1, TableCommas::kEnd));
    if (reader_.accept_name("where")) HDB_TRY(where_phrase());
    return ok_status();
  }

  // delete ex,cond from t; delete from t where ...: the rows that do not pass.
  Status delete_phrases() {
    while (!reader_.at_name("from")) {
      const Token name = reader_.take();
      if (name.kind != TokenKind::kName || is_keyword(name.text))
        return unexpected(name, "a column to delete, or from");
      query_.deleted.push_back({name.text, name.begin});
      if (!reader_.accept_mark(",")) break;
    }
    if (!reader_.accept_name("from")) return unexpected(reader_.peek(), "a comma or from");
    const std::size_t begin = reader_.peek().begin;
    HDB_TRY(from_phrase());
    return keep_others(query_, begin);
  }

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

// The whole text: a query, or a table made otherwise, which is selected as it is.
Result<Query> parse_whole(TokenReader& reader) {
  const Token first = reader.peek();
  Query query;
  const bool fills = reader.at_name("fills") && reader.peek(1).text == ".pvt.pivot";
  if (fills || reader.at_name(".pvt.pivot")) {
    if (fills) reader.take();
    query.pivot = fills ? Plan::Pivot::kFilled : Plan::Pivot::kPivot;
    query.pivot_position = reader.take().begin;
    HDB_ASSIGN(query.table, parse_table(reader, 0, TableCommas::kJoin));
    return query;
  }
  if (!begins_table(reader)) return unexpected(first, "select or exec");
  HDB_ASSIGN(TableSyntax table, parse_table(reader, 0, TableCommas::kJoin));
  if (table.kind == TableForm::kName) return unexpected(first, "select or exec");
  if (table.kind == TableForm::kQuery) return *table.query;
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

// Whether its values depend on more than the row's own.
bool reads_other_rows(const Syntax& syntax) {
  const Function* function = syntax.kind == SyntaxKind::kCall
                                 ? find_function(syntax.text, syntax.arguments.size())
                                 : nullptr;
  const bool is_row_wise = function == nullptr || (function->kind != FunctionKind::kAggregate &&
                                                   function->kind != FunctionKind::kUniform &&
                                                   function->kind != FunctionKind::kFby);
  return !is_row_wise ||
         std::any_of(syntax.arguments.begin(), syntax.arguments.end(), reads_other_rows);
}

}  // namespace

Status keep_others(Query& query, std::size_t place) {
  if (!query.deleted.empty() && !query.where.empty())
    return text_error("delete takes columns or conditions, not both", place);
  if (!query.deleted.empty()) return ok_status();
  Syntax all{SyntaxKind::kName, "i", place, {}, {}, place, place};
  Syntax zero{SyntaxKind::kLiteral, {}, place, {}, {}, place, place};
  zero.literal =
      Literal{QType::kLong, false, {Atom{QType::kLong, std::int64_t{0}, place}}, place, place};
  if (query.where.empty()) {
    query.where = {call_of("<", {std::move(all), std::move(zero)})};
    return ok_status();
  }
  for (std::size_t c = 1; c < query.where.size(); ++c) {
    if (reads_other_rows(query.where[c]))
      return text_error(
          "delete takes aggregates, fby and functions of the rows before in its first condition "
          "alone: write delete from select from ... where ...",
          query.where[c].begin);
  }
  all = std::move(query.where.back());
  query.where.pop_back();
  for (; !query.where.empty(); query.where.pop_back())
    all = call_of("&", {std::move(query.where.back()), std::move(all)});
  query.where = {call_of("not", {std::move(all)})};
  return ok_status();
}

Result<Query> parse_query_at(TokenReader& reader, int depth) {
  if (depth > kSyntaxDepthMax) return text_error("nested too deeply", reader.peek().begin);
  Query query;
  HDB_TRY(QueryParser(reader, depth, query).run());
  return query;
}

Result<Query> parse_query(std::string_view text) {
  HDB_ASSIGN(std::vector<Token> written, lex(text));
  HDB_ASSIGN(std::vector<Token> tokens, expand_definitions(std::move(written)));
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

#include "queries/query_parser.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "queries/expression/expression_parser.h"
#include "queries/expression/functions.h"
#include "queries/lexer.h"
#include "queries/literal_parser.h"
#include "queries/token_reader.h"

namespace hdbench {
namespace {

class QueryParser {
 public:
  QueryParser(TokenReader& reader, ParsedQuery& query) : reader_(reader), query_(query) {}

  Status run() {
    HDB_TRY(sort());
    const Token& first = reader_.peek();
    if (reader_.accept_name("exec")) {
      query_.is_exec = true;
    } else if (!reader_.accept_name("select")) {
      return no_query(first);
    }
    HDB_TRY(select_phrase());
    if (reader_.accept_name("by")) HDB_TRY(items(query_.by, "an operator, a comma or from"));
    if (!reader_.accept_name("from")) return unexpected(reader_.peek(), "from");
    HDB_TRY(table());
    if (reader_.accept_name("where")) HDB_TRY(where_phrase());
    if (reader_.at_mark(";") && reader_.peek(1).kind == TokenKind::kEnd) reader_.take();
    if (reader_.peek().kind == TokenKind::kEnd) return ok_status();
    HDB_TRY(no_missing_verb());
    return unexpected(reader_.peek(), query_.where.empty()
                                          ? "where or the end of the query"
                                          : "an operator, a comma or the end of the query");
  }

 private:
  // q has more that gives a table: aj, ungroup, meta, fills, ...
  static Error no_query(const Token& first) {
    const bool is_name = first.kind == TokenKind::kName;
    if (is_name && first.text == "update") {
      return text_error("not supported yet: update", first.begin);
    }
    const Function* function = is_name ? find_function(first.text) : nullptr;
    if (function != nullptr && first.text != "upsert" && first.text != "insert") {
      return text_error(fmt::format("not supported yet: {} of a table", first.text), first.begin);
    }
    return unexpected(first, "select or exec");
  }

  // `a`b xasc select ...
  Status sort() {
    if (reader_.peek().kind != TokenKind::kSymbol) return ok_status();
    query_.sort.position = reader_.peek().begin;
    HDB_ASSIGN(const Literal columns, parse_literal(reader_));
    for (const Atom& atom : columns.atoms) {
      query_.sort.columns.push_back({std::get<std::string>(atom.value), atom.position});
    }
    query_.sort.descending = reader_.at_name("xdesc");
    if (reader_.accept_name("xasc") || reader_.accept_name("xdesc")) return ok_status();
    return unexpected(reader_.peek(), "xasc or xdesc");
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
        return text_error("* is all columns and stands alone", reader_.peek().begin);
      }
      HDB_ASSIGN(item.expression, parse_expression(reader_));
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

  Status table() {
    const Token& token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    if (reader_.at_mark("(") || (is_name && is_query_word(token.text))) {
      return text_error("not supported yet: a query within a query", token.begin);
    }
    if (!is_name || is_keyword(token.text)) return unexpected(token, "a table's name");
    query_.table = {token.text, token.begin};
    reader_.take();
    return ok_status();
  }

  Status where_phrase() {
    do {
      HDB_ASSIGN(Syntax condition, parse_expression(reader_));
      query_.where.push_back(std::move(condition));
    } while (reader_.accept_mark(","));
    return ok_status();
  }

  // `from t lj u`.
  Status no_missing_verb() const {
    const Token& token = reader_.peek();
    const bool is_name = token.kind == TokenKind::kName;
    const Function* function = is_name ? find_function(token.text, 2) : nullptr;
    if (function == nullptr || function->kind != FunctionKind::kMissing) return ok_status();
    return text_error(fmt::format("not supported yet: {}", token.text), token.begin);
  }

  TokenReader& reader_;
  ParsedQuery& query_;
};

}  // namespace

Result<ParsedQuery> parse_query(std::string_view text) {
  HDB_ASSIGN(std::vector<Token> tokens, lex(text));
  ParsedQuery query;
  query.text = std::string(text);
  TokenReader reader(std::move(tokens));
  HDB_TRY(QueryParser(reader, query).run());
  return query;
}

}  // namespace hdbench

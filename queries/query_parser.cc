#include "queries/query_parser.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "queries/condition_parser.h"
#include "queries/lexer.h"
#include "queries/token_reader.h"

namespace hdbench {
namespace {

struct AggregateWord {
  std::string_view text;
  Aggregate aggregate;
};

// All that stand before their column; wavg stands between two.
constexpr std::array kPrefixAggregates = {
    AggregateWord{"count", Aggregate::kCount}, AggregateWord{"sum", Aggregate::kSum},
    AggregateWord{"avg", Aggregate::kAvg},     AggregateWord{"min", Aggregate::kMin},
    AggregateWord{"max", Aggregate::kMax},     AggregateWord{"first", Aggregate::kFirst},
    AggregateWord{"last", Aggregate::kLast},   AggregateWord{"dev", Aggregate::kDev},
    AggregateWord{"med", Aggregate::kMed},
};

std::optional<Aggregate> prefix_aggregate(const Token& token) {
  if (token.kind != TokenKind::kName) return std::nullopt;
  for (const AggregateWord& word : kPrefixAggregates) {
    if (word.text == token.text) return word.aggregate;
  }
  return std::nullopt;
}

bool is_column_name(const Token& token) {
  return token.kind == TokenKind::kName && !is_keyword(token.text) && !prefix_aggregate(token);
}

class QueryParser {
 public:
  QueryParser(TokenReader& reader, ParsedQuery& query) : reader_(reader), query_(query) {}

  Status run() {
    if (reader_.accept_name("exec")) {
      query_.is_exec = true;
    } else if (!reader_.accept_name("select")) {
      return unexpected(reader_.peek(), "select or exec");
    }
    HDB_TRY(select_phrase());
    if (reader_.accept_name("by")) HDB_TRY(by_phrase());
    if (!reader_.accept_name("from")) return unexpected(reader_.peek(), "from");
    HDB_TRY(table());
    if (reader_.accept_name("where")) HDB_TRY(where_phrase());
    if (reader_.peek().kind == TokenKind::kEnd) return ok_status();
    return unexpected(reader_.peek(), query_.where.empty() ? "where or the end of the query"
                                                           : "a comma or the end of the query");
  }

 private:
  Status select_phrase() {
    if (reader_.at_mark("[")) {
      return text_error("select[...] is not supported: the whole result is returned",
                        reader_.peek().begin);
    }
    if (reader_.at_name("from") || reader_.at_name("by")) return ok_status();
    if (reader_.accept_mark("*")) {
      if (reader_.at_name("from") || reader_.at_name("by")) return ok_status();
      return unexpected(reader_.peek(), "by or from after *, which is all columns");
    }
    do {
      HDB_ASSIGN(ColumnItem item, column_item());
      query_.columns.push_back(std::move(item));
    } while (reader_.accept_mark(","));
    if (reader_.at_name("from") || reader_.at_name("by")) return ok_status();
    return unexpected(reader_.peek(), "a comma, by or from");
  }

  Status by_phrase() {
    do {
      HDB_ASSIGN(auto alias, optional_alias());
      HDB_ASSIGN(Name column, column_name("a column to group by"));
      query_.by.push_back({std::move(alias), std::move(column)});
    } while (reader_.accept_mark(","));
    if (reader_.at_name("from")) return ok_status();
    return unexpected(reader_.peek(), "a comma or from");
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

  Result<Name> column_name(std::string_view expected) {
    const Token& token = reader_.peek();
    if (!is_column_name(token) || reader_.at_function()) return unexpected(token, expected);
    Name name{token.text, token.begin};
    reader_.take();
    return name;
  }

  Result<ColumnItem> column_item() {
    ColumnItem item;
    HDB_ASSIGN(item.alias, optional_alias());
    item.position = reader_.peek().begin;
    if (reader_.at_mark("*")) {
      return text_error("* is all columns and stands alone", item.position);
    }
    if (const auto aggregate = prefix_aggregate(reader_.peek())) {
      const std::string word = reader_.take().text;
      item.aggregate = *aggregate;
      if (item.aggregate == Aggregate::kCount && reader_.accept_name("i")) return item;
      HDB_ASSIGN(item.column,
                 column_name(fmt::format("one column after {}{}", word,
                                         item.aggregate == Aggregate::kCount ? ", or i" : "")));
      return item;
    }
    HDB_ASSIGN(item.column, column_name(fmt::format("a column, count i or an aggregate of a column "
                                                    "({})",
                                                    kAggregateWords)));
    if (reader_.accept_name("wavg")) {
      item.aggregate = Aggregate::kWavg;
      item.weights = std::move(item.column);
      HDB_ASSIGN(item.column, column_name("one column after wavg"));
    }
    return item;
  }

  Status table() {
    const Token& token = reader_.peek();
    if (token.kind != TokenKind::kName || is_keyword(token.text)) {
      if (reader_.at_mark("(")) {
        return text_error("found '(' (nested queries are not supported), expected a table's name",
                          token.begin);
      }
      return unexpected(token, "a table's name");
    }
    query_.table = {token.text, token.begin};
    reader_.take();
    return ok_status();
  }

  Status where_phrase() {
    do {
      HDB_ASSIGN(ParsedCondition condition, parse_condition(reader_));
      query_.where.push_back(std::move(condition));
    } while (reader_.accept_mark(","));
    return ok_status();
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

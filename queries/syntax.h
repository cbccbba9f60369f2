// A parsed query: names, functions and literals as the text has them, nothing resolved.
// docs/q-grammar.md has the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "queries/literal/literal.h"

namespace hdbench::queries {

struct Name {
  std::string text;
  std::size_t position = 0;  // in the query's text
};

enum class SyntaxKind : std::uint8_t {
  kName,     // bid, time.minute, i
  kLiteral,  // 5, `a`b
  kCall,     // a function (functions.h) of its arguments; a cast is $ of a literal and a value
  kList,     // (low;high), where not all are literals; ([]a;b), whose text is []
  kQuery,    // exec sym from t
};

struct Query;

// An expression: a tree as deep as its text is nested, at most kSyntaxDepthMax.
struct Syntax {
  SyntaxKind kind = SyntaxKind::kName;
  std::string text;          // kName, kCall: the name
  std::size_t position = 0;  // of that name: where a caret points
  Literal literal = {};      // kLiteral
  std::vector<Syntax> arguments = {};
  std::size_t begin = 0;  // of the whole, with its parentheses
  std::size_t end = 0;
  std::shared_ptr<const Query> query = {};  // kQuery

  bool is_call(std::string_view name, std::size_t arity) const {
    return kind == SyntaxKind::kCall && text == name && arguments.size() == arity;
  }
};

constexpr int kSyntaxDepthMax = 100;

// An item of the select or by phrase.
struct ParsedItem {
  std::optional<Name> alias;
  Syntax expression;
};

enum class TableForm : std::uint8_t {
  kName,     // trade
  kQuery,    // select ... from ...
  kJoin,     // aj[`a`b;t;u], aj0[...], t lj u, t ij u
  kSort,     // `a`b xasc t, xdesc, xkey
  kUngroup,  // ungroup select ... by ...
  kMeta,     // meta t
  kTables,   // tables[]
};

// What is behind `from`, and what a query as a whole is.
struct TableSyntax {
  TableForm kind = TableForm::kName;
  Name name;                                // the table's, or the word's: aj, lj, xasc
  std::vector<Name> keys;                   // kJoin: the columns of aj; kSort
  std::shared_ptr<const Query> query = {};  // kQuery
  std::vector<TableSyntax> of = {};         // kJoin: two; kSort, kUngroup, kMeta: one
};

// select[count;order].
struct ParsedOrder {
  std::optional<std::size_t> position;  // of what asks for it; nothing: not asked
  std::vector<Atom> rows;               // 5, -5, 2 5
  std::vector<Name> columns;
  bool descending = false;
};

// The tree that the parser makes of a text. Nothing changes it afterwards: binding (query.h) only
// reads it.
struct Query {
  // Of a whole text; empty in the queries within it.
  std::string text;
  std::vector<Name> tables;  // that the text names, each once, at its first place

  bool is_exec = false;
  bool is_update = false;
  std::optional<std::size_t> distinct;  // its position
  ParsedOrder limit;                    // select[...]
  std::vector<ParsedItem> columns;      // none: all columns
  std::vector<ParsedItem> by;
  TableSyntax table;
  std::vector<Syntax> where;
};

}  // namespace hdbench::queries

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

#include "engine/operator/plan.h"
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

// The call of a function of arguments that the text has, as if it were written before them.
Syntax call_of(std::string function, std::vector<Syntax> arguments);

// An item of the select or by phrase.
struct ParsedItem {
  std::optional<Name> alias;
  Syntax expression;
};

enum class TableForm : std::uint8_t {
  kName,    // trade
  kQuery,   // select ... from ...
  kJoin,    // aj[`a`b;t;u], ej[`a;t;u], wj[w;`a`b;t;...], t lj u, t,u and the others
  kStage,   // a function of one table (stage_words.h): `a xasc t, 10#t, count t
  kTables,  // tables[]
  kEach,    // raze {... x ...} each t
};

// (max;`ask), (wavg;`size;`price) of wj.
struct WindowAggregate {
  Name function;
  std::vector<Name> columns;
};

// What wj has besides keys and tables: the windows lie between the sums of the column and the ends.
struct WindowJoin {
  Name column;
  std::vector<Syntax> ends;  // two literals
  std::vector<WindowAggregate> aggregates;
};

// What is behind `from`, and what a query as a whole is.
struct TableSyntax {
  TableForm kind = TableForm::kName;
  Name name;                                // the table's, or the word's: aj, lj, xasc
  std::vector<Name> keys;                   // kJoin: the columns in brackets; kStage: on the left
  std::shared_ptr<const Query> query = {};  // kQuery
  std::vector<TableSyntax> of = {};         // kJoin, kEach: two; kStage: one
  std::vector<std::int64_t> numbers = {};   // kStage: on the left
  std::shared_ptr<const WindowJoin> windows = {};
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
  std::vector<Name> deleted = {};          // columns that are not shown
  Plan::Pivot pivot = Plan::Pivot::kNone;  // of a whole text
  std::optional<std::size_t> pivot_position = {};
  std::optional<std::size_t> distinct;  // its position
  ParsedOrder limit;                    // select[...]
  std::vector<ParsedItem> columns;      // none: all columns
  std::vector<ParsedItem> by;
  TableSyntax table;
  std::vector<Syntax> where;
};

// Whether both are written alike, wherever they stand.
bool are_alike(const Syntax& a, const Syntax& b);
bool are_alike(const std::vector<Syntax>& a, const std::vector<Syntax>& b);
bool are_alike(const TableSyntax& a, const TableSyntax& b);

}  // namespace hdbench::queries

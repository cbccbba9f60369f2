// Binds a query's syntax tree to tables: which plan it is. docs/q-semantics.md describes q's rules.
//
// Parsing (query_parser.h) and binding are pure. Errors are kUsage with a caret: the byte offset in
// the text of the offending token; for a field that cannot be read its own, kData.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/literal/literal_parser.h"
#include "queries/query_parser.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Whether a plan may name fields that cannot be read: to explain what a query would read, never to
// run it.
enum class Unreadable { kError, kNamed };

// The table of a name in a query's text. Errors: there is none.
using FindTable = std::function<Result<const Table*>(const std::string& name)>;

// What a query is bound to.
struct BindTables {
  FindTable find;
  std::vector<std::string> names = {};  // of the database's tables, which tables[] shows
  QueryParams params = {};              // values of names that are no columns
  Unreadable unreadable = Unreadable::kError;
};

// A plan, and the table that it runs over: the first that the text names; where it names none, the
// plan's own.
struct BoundQuery {
  const Table* table = nullptr;
  std::shared_ptr<const Plan> plan;
};

// Resolves columns, types, symbol codes and literals against the tables. Does not touch any
// column's data. Tables must outlive the plan. The test of an unreadable field that is named is
// any.
Result<BoundQuery> bind(const Query& query, const BindTables& tables);

}  // namespace hdbench::queries

// Turns q-SQL text into a plan: parses it, then binds it to a table's schema. docs/q-semantics.md
// describes q's rules.
//
// Both steps are pure. Errors are kUsage with a caret: the byte offset in the text of the offending
// token; for a field that cannot be read its own, kData.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/query_params.h"

namespace hdbench::queries {

// Whether a plan may name fields that cannot be read: for who tells what a query would read, never
// for running it.
enum class Unreadable { kError, kNamed };

// A parsed query: names and literals, nothing resolved. Opaque outside queries/.
struct ParsedQuery;

// The table of a name in a query's text. Errors: there is none.
using FindTable = std::function<Result<const Table*>(const std::string& name)>;

class Query {
 public:
  // `params`: values of names that are no columns.
  static Result<Query> parse(std::string_view text, QueryParams params = {});

  const std::string& text() const;
  // The tables that the text names, each once, with the byte offset where it is named first (for an
  // unknown-table error's caret). The first one is what a plan without a source runs over.
  struct NamedTable {
    std::string name;
    std::size_t position = 0;
  };
  const std::vector<NamedTable>& tables() const { return tables_; }
  const std::string& table_name() const { return tables_.front().name; }
  // The names of the database's tables, which tables[] shows; a query that names none runs over the
  // first. Before table_name() and bind().
  void use_tables(std::vector<std::string> names);

  // Resolves columns, types, symbol codes and literals against the tables. Does not touch any
  // column's data. Tables must outlive the plan. The test of an unreadable field that is named is
  // any.
  Result<Plan> bind(const FindTable& find, Unreadable unreadable = Unreadable::kError) const;
  // The same where every name is this table's.
  Result<Plan> bind(const Table& table, Unreadable unreadable = Unreadable::kError) const;

 private:
  Query(std::shared_ptr<const ParsedQuery> parsed, QueryParams params);
  std::shared_ptr<const ParsedQuery> parsed_;
  QueryParams params_;
  std::vector<NamedTable> tables_;
  std::vector<std::string> known_;
};

}  // namespace hdbench::queries

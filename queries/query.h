// Turns q-SQL text into a plan: parses it, then binds it to a table's schema. docs/q-semantics.md
// describes q's rules.
//
// Both steps are pure. Errors are kUsage with a caret: the byte offset in the text of the offending
// token; for a field that cannot be read its own, kData.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Whether a plan may name fields that cannot be read: for who tells what a query would read, never
// for running it.
enum class Unreadable { kError, kNamed };

// A parsed query: names and literals, nothing resolved. Opaque outside queries/.
struct ParsedQuery;

class Query {
 public:
  static Result<Query> parse(std::string_view text);

  const std::string& text() const;
  // The table after `from`, and its byte offset in the text (for an unknown-table error's caret).
  const std::string& table_name() const;
  std::size_t table_position() const;

  // Resolves columns, types, symbol codes and literals against the table. Does not touch any
  // column's data. The test of an unreadable field that is named is any.
  Result<Plan> bind(const Table& table, Unreadable unreadable = Unreadable::kError) const;

 private:
  explicit Query(std::shared_ptr<const ParsedQuery> parsed);
  std::shared_ptr<const ParsedQuery> parsed_;
};

}  // namespace hdbench

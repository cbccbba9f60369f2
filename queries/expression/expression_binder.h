// Binds an expression: finds its columns, settles every type, and makes one list of nodes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/domain.h"
#include "engine/column/table.h"
#include "engine/expression/expression.h"
#include "queries/literal/literal.h"
#include "queries/query.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// What an expression reads: a field, or a place among aggregates.
struct Leaf {
  std::size_t field = 0;
  QType type = QType::kLong;
  const Domain* domain = nullptr;  // symbols
};

class Leaves {
 public:
  virtual ~Leaves() = default;
  // A name, nothing where it is none of these; an error where it may not stand here.
  virtual Result<std::optional<Leaf>> name(const Name& name) = 0;
  // The call of an aggregate.
  virtual Result<Leaf> aggregate(const Syntax& call) = 0;
  // The value of such a call that is known without reading a column.
  virtual std::optional<Atom> constant(const Syntax& /*call*/) { return std::nullopt; }
  // Whether `i` is the row.
  virtual bool has_rows() const = 0;
};

// The columns of a table; no aggregates, but for the first and last partition (`last date`).
class TableLeaves : public Leaves {
 public:
  explicit TableLeaves(const Table& table) : table_(table) {}
  Result<std::optional<Leaf>> name(const Name& name) override;
  Result<Leaf> aggregate(const Syntax& call) override;
  std::optional<Atom> constant(const Syntax& call) override;
  bool has_rows() const override { return true; }

 private:
  const Table& table_;
};

// What a query is bound in: its text, and the tables that it names.
struct BindTables {
  std::string_view text;
  FindTable find;
  Unreadable unreadable = Unreadable::kError;
  const QueryParams* params = nullptr;              // null: there are none
  const std::vector<std::string>* names = nullptr;  // of the database's tables; null: not known
};

// What the parts of a query are bound in.
struct BindScope {
  std::string_view text;  // the query's
  const Table& table;
  Unreadable unreadable = Unreadable::kError;
  const BindTables* tables = nullptr;  // for queries within; null: there are none

  std::string_view written(const Syntax& syntax) const {
    return text.substr(syntax.begin, syntax.end - syntax.begin);
  }
};

// Errors: 'type, 'length, names that are not known, what may not stand here; each with a caret and
// what was found. The scope's table names what was not found.
Result<Expression> bind_expression(const Syntax& syntax, const BindScope& scope, Leaves& leaves);

// A constant as the literal that it could have been, where the text has `syntax`.
Literal constant_literal(const ExpressionNode& node, const Syntax& syntax);

// The field of an expression that is a column by itself; nothing: it is none. Errors: as
// find_column(), for a name that can be nothing else.
Result<std::optional<std::size_t>> bare_column(const Syntax& syntax, const Table& table);

// A field that the expression names, cannot be read and may be named; nothing: there is none.
std::optional<std::size_t> unreadable_field(const Syntax& syntax, const BindScope& scope);

}  // namespace hdbench::queries

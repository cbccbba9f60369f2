// What the parts of a query are bound in, and which columns the names in its text refer to.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "queries/query.h"

namespace hdbench::queries {

// The text, which queries within share, and what the names in it may be.
struct BindContext {
  std::string_view text;
  const BindTables& tables;
};

// Calls of the text that columns of made rows represent (row_stages.h), and these columns' names.
using MadeColumns = std::map<const Syntax*, std::string>;

struct BindScope {
  const BindContext& context;
  const Table& table;
  const MadeColumns* made = nullptr;  // null: there are none
  // `x where c` that may be x with nulls: an aggregate's argument that leaves them out.
  const Syntax* chosen = nullptr;

  // What a lambda stands for may lie in two places of the text: then the function or the name.
  std::string_view written(const Syntax& syntax) const {
    if (syntax.begin >= syntax.end) return syntax.text;
    return context.text.substr(syntax.begin, syntax.end - syntax.begin);
  }
  bool names_unreadable() const { return context.tables.unreadable == Unreadable::kNamed; }

  // What is a name here: the name of the text, or that of the made column; null: neither.
  const std::string* name_of(const Syntax& syntax) const;

  // Whether a literal is here, or a parameter, which is a name that is no column.
  bool is_literal(const Syntax& syntax) const;
  // Its value, with its place. Requires: is_literal(syntax).
  Literal literal_of(const Syntax& syntax) const;
};

// An item of the select or by phrase, as it is bound.
struct PhraseItem {
  std::optional<Name> alias;
  const Syntax* expression = nullptr;
  std::string name = {};  // without an alias: name_items()
  bool is_atom = false;   // one value a group, beside lists
  ListColumn list = {};   // what is made of the group's list, whose items the expression gives
  std::vector<const Syntax*> chosen_by = {};  // of each kWhere among its steps
};

// The parts of a query that are still to be bound.
struct Phrases {
  explicit Phrases(const Query& query);

  const Query& query;
  std::vector<PhraseItem> columns;
  std::vector<PhraseItem> by;
  std::vector<const Syntax*> where;
  MadeColumns made = {};
  std::vector<std::shared_ptr<const Syntax>> added = {};  // expressions that the text has not
};

// Returns the field's index. Errors: no such column; lists the table's columns, caret at the name.
// A field that cannot be read: its own error, without a caret, unless it may be named; then what is
// followed through a link that cannot be read is the link.
Result<std::size_t> find_column(const Table& table, const Name& name,
                                Unreadable unreadable = Unreadable::kError);

// The field of an expression that is a column by itself; nothing: it is none. Errors: as
// find_column(), for a name that can be nothing else.
Result<std::optional<std::size_t>> bare_column(const Syntax& syntax, const BindScope& scope);

// A field that the expression names, cannot be read and may be named; nothing: there is none.
std::optional<std::size_t> unreadable_field(const Syntax& syntax, const BindScope& scope);

// Binds a query, or the one within another: the plan, the table that it runs over (null: its source
// makes the rows) and the columns that it gives. Errors: those of its parts, each with a caret.
enum class ListForm { kLists, kUngrouped };
Result<PlanSide> bind_query(const Query& query, const TableSyntax& table,
                            const BindContext& context, ListForm lists = ListForm::kLists);

}  // namespace hdbench::queries

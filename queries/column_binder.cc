#include "queries/column_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "queries/column_lookup.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/computed_fields.h"

namespace hdbench::queries {
namespace {

// The name in an expression that stands last in the text; null: there is none. `i` is none where
// it is the row.
const Syntax* last_name(const Syntax& syntax, bool is_i_a_row) {
  if (syntax.kind == SyntaxKind::kName) return is_i_a_row && syntax.text == "i" ? nullptr : &syntax;
  for (auto argument = syntax.arguments.rbegin(); argument != syntax.arguments.rend(); ++argument) {
    if (const Syntax* found = last_name(*argument, is_i_a_row)) return found;
  }
  return nullptr;
}

class ColumnBinder {
 public:
  ColumnBinder(const ParsedQuery& query, const BindScope& scope, Plan& plan)
      : query_(query), scope_(scope), table_(scope.table), plan_(plan) {}

  Status run() {
    plan_.is_exec = query_.is_exec;
    HDB_TRY(bind_keys());
    HDB_TRY(check_form());
    if (query_.columns.empty()) return all_columns();
    HDB_TRY(take_aliases());
    const auto is_computed = [](const ParsedItem& item) {
      return has_aggregate(item.expression) && !is_aggregate(item.expression);
    };
    const bool has_results = std::any_of(query_.columns.begin(), query_.columns.end(), is_computed);
    for (const ParsedItem& item : query_.columns) {
      HDB_TRY(has_results ? bind_result(item) : bind_output(item));
    }
    return ok_status();
  }

 private:
  Status bind_keys() {
    for (const ParsedItem& item : query_.by) {
      HDB_ASSIGN(const std::size_t field, bind_field(item.expression, scope_, plan_));
      const Name name = item.alias ? *item.alias : Name{base_name(item), item.expression.begin};
      HDB_TRY(take_name(name));
      plan_.by.push_back({name.text, field});
    }
    return ok_status();
  }

  // Aggregates and plain columns never mix.
  Status check_form() const {
    const auto is_plain = [](const ParsedItem& item) { return !has_aggregate(item.expression); };
    const auto plain = std::find_if(query_.columns.begin(), query_.columns.end(), is_plain);
    if (plain == query_.columns.end()) return ok_status();
    if (std::all_of(query_.columns.begin(), query_.columns.end(), is_plain)) return ok_status();
    return text_error(fmt::format("'{}' has no aggregate and others have: mixing them is not "
                                  "supported",
                                  scope_.written(plain->expression)),
                      plain->expression.begin);
  }

  // All columns: with by, all that are no key.
  Status all_columns() {
    plan_.last_rows = !plan_.by.empty();
    for (std::size_t field = 0; field < table_.schema().own_fields(); ++field) {
      const auto is_key = [&](const GroupKey& key) { return key.field == field; };
      if (std::any_of(plan_.by.begin(), plan_.by.end(), is_key)) continue;
      const Field& shown = table_.schema().fields[field];
      if (shown.unreadable && scope_.unreadable == Unreadable::kError) return *shown.unreadable;
      const std::string& name = shown.name;
      if (!names_.insert(name).second) {
        return text_error(fmt::format("'dup: the key '{}' has the name of another column", name),
                          query_.by.front().expression.begin);
      }
      plan_.outputs.push_back({name, Aggregate::kNone, field, std::nullopt});
    }
    return ok_status();
  }

  // Names that the text gives come before those that are made.
  Status take_aliases() {
    for (const ParsedItem& item : query_.columns) {
      if (item.alias) HDB_TRY(take_name(*item.alias));
    }
    return ok_status();
  }

  Status take_name(const Name& name) {
    if (names_.insert(name.text).second) return ok_status();
    return text_error(fmt::format("'dup: the result has a column '{}' already", name.text),
                      name.position);
  }

  std::string base_name(const ParsedItem& item) const {
    return item.made_name.empty() ? default_name(item.expression, table_.schema()) : item.made_name;
  }

  std::string make_name(const std::string& base) {
    std::string name = base;
    for (int i = 1; !names_.insert(name).second; ++i) name = base + std::to_string(i);
    return name;
  }

  std::string name_of(const ParsedItem& item) {
    return item.alias ? item.alias->text : make_name(base_name(item));
  }

  Status bind_output(const ParsedItem& item) {
    Output output;
    if (is_aggregate(item.expression)) {
      HDB_ASSIGN(output, bind_aggregate(item.expression, scope_, plan_));
    } else {
      HDB_ASSIGN(output.field, bind_field(item.expression, scope_, plan_));
    }
    output.name = name_of(item);
    plan_.outputs.push_back(std::move(output));
    return ok_status();
  }

  Status bind_result(const ParsedItem& item) {
    if (const auto unreadable = unreadable_field(item.expression, scope_)) {
      plan_.outputs.push_back({name_of(item), Aggregate::kFirst, unreadable, std::nullopt});
      return ok_status();
    }
    AggregateLeaves leaves(scope_, plan_);
    HDB_ASSIGN(Expression expression, bind_expression(item.expression, scope_, leaves));
    plan_.results.push_back({name_of(item), std::move(expression)});
    return ok_status();
  }

  const ParsedQuery& query_;
  const BindScope& scope_;
  const Table& table_;
  Plan& plan_;
  std::set<std::string> names_;  // of the result's columns so far
};

}  // namespace

std::string default_name(const Syntax& syntax, const Schema& schema) {
  const Syntax* name = last_name(syntax, !schema.find("i"));
  if (name == nullptr) return "x";
  if (const auto field = schema.find(name->text)) return result_name(schema.fields[*field]);
  return name->text.substr(name->text.rfind('.') + 1);
}

Status bind_lists(const ParsedQuery& query, const BindScope& scope, Plan& plan) {
  ParsedQuery rows = query;
  rows.columns.insert(rows.columns.begin(), query.by.begin(), query.by.end());
  rows.by.clear();
  HDB_TRY(bind_columns(rows, scope, plan));
  RowLists lists{query.by.size(), std::vector<bool>(query.by.size(), false), false};
  for (const ParsedItem& item : query.columns) lists.is_list.push_back(!item.is_atom);
  for (std::size_t c = 0; c < plan.outputs.size(); ++c) {
    const bool is_value = c < lists.keys || lists.is_list[c];
    if (is_value && field_type(plan, scope.table, *plan.outputs[c].field) == QType::kNested) {
      return text_error(
          fmt::format("'type: {} of {}, which is a list", c < lists.keys ? "keys" : "lists",
                      scope.written(rows.columns[c].expression)),
          rows.columns[c].expression.begin);
    }
  }
  plan.lists = std::move(lists);
  return ok_status();
}

Status bind_update(const ParsedQuery& query, const BindScope& scope, Plan& plan) {
  const Schema& schema = scope.table.schema();
  for (std::size_t field = 0; field < schema.own_fields(); ++field)
    plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
  for (const ParsedItem& item : query.columns) {
    Output output;
    output.name = item.alias ? item.alias->text : item.made_name;
    HDB_ASSIGN(output.field, bind_field(item.expression, scope, plan));
    const auto known = std::find_if(plan.outputs.begin(), plan.outputs.end(),
                                    [&](const Output& one) { return one.name == output.name; });
    if (known != plan.outputs.end()) {
      *known = std::move(output);
    } else {
      plan.outputs.push_back(std::move(output));
    }
  }
  return ok_status();
}

Status bind_columns(const ParsedQuery& query, const BindScope& scope, Plan& plan) {
  return ColumnBinder(query, scope, plan).run();
}

}  // namespace hdbench::queries

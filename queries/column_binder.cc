#include "queries/column_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/operator/aggregator.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/expression_binder.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

// The name in an expression that is last in the text; null: there is none. `i` is none where
// it is the row.
const std::string* last_name(const Syntax& syntax, const BindScope& scope) {
  if (scope.is_literal(syntax)) return nullptr;
  if (const std::string* const name = scope.name_of(syntax))
    return *name == "i" && !scope.table.schema().find("i") ? nullptr : name;
  for (auto argument = syntax.arguments.rbegin(); argument != syntax.arguments.rend(); ++argument) {
    if (const std::string* const found = last_name(*argument, scope)) return found;
  }
  return nullptr;
}

std::string default_name(const Syntax& syntax, const BindScope& scope) {
  const std::string* const name = last_name(syntax, scope);
  if (name == nullptr) return "x";
  const auto field = scope.table.schema().find(*name);
  if (field && !scope.table.schema().fields[*field].followed) return *name;
  return name->substr(name->rfind('.') + 1);
}

class ColumnBinder {
 public:
  ColumnBinder(const Phrases& phrases, const BindScope& scope, Plan& plan)
      : phrases_(phrases), scope_(scope), table_(scope.table), plan_(plan) {}

  Status run() {
    plan_.is_exec = phrases_.query.is_exec;
    HDB_TRY(bind_keys());
    if (phrases_.columns.empty()) return all_columns();
    HDB_TRY(take_aliases());
    const auto is_computed = [&](const PhraseItem& item) {
      return has_aggregate(*item.expression, scope_.made) &&
             !is_aggregate(*item.expression, scope_.made);
    };
    const bool has_results =
        std::any_of(phrases_.columns.begin(), phrases_.columns.end(), is_computed);
    for (const PhraseItem& item : phrases_.columns) {
      HDB_TRY(has_results ? bind_result(item) : bind_output(item));
    }
    return ok_status();
  }

 private:
  Status bind_keys() {
    for (const PhraseItem& item : phrases_.by) {
      HDB_ASSIGN(const std::size_t field, bind_field(*item.expression, scope_, plan_));
      const Name name = item.alias ? *item.alias : Name{item.name, item.expression->begin};
      HDB_TRY(take_name(name));
      plan_.by.push_back({name.text, field});
    }
    return ok_status();
  }

  // All columns: with by, all that are no key.
  Status all_columns() {
    plan_.last_rows = !plan_.by.empty();
    for (std::size_t field = 0; field < table_.schema().own_fields(); ++field) {
      const auto is_key = [&](const GroupKey& key) { return key.field == field; };
      if (std::any_of(plan_.by.begin(), plan_.by.end(), is_key)) continue;
      const auto is_deleted = [&](const Name& name) {
        return name.text == table_.schema().fields[field].name;
      };
      const auto& deleted = phrases_.query.deleted;
      if (std::any_of(deleted.begin(), deleted.end(), is_deleted)) continue;
      const Field& shown = table_.schema().fields[field];
      if (shown.unreadable && !scope_.names_unreadable()) return *shown.unreadable;
      const std::string& name = shown.name;
      if (!names_.insert(name).second) {
        return text_error(fmt::format("'dup: the key '{}' has the name of another column", name),
                          phrases_.by.front().expression->begin);
      }
      plan_.outputs.push_back({name, Aggregate::kNone, field, std::nullopt});
    }
    if (plan_.outputs.empty() && !phrases_.query.deleted.empty())
      return text_error("delete leaves no column", phrases_.query.deleted.front().position);
    return ok_status();
  }

  // Names that the text gives come before those that are made.
  Status take_aliases() {
    for (const PhraseItem& item : phrases_.columns) {
      if (item.alias) HDB_TRY(take_name(*item.alias));
    }
    return ok_status();
  }

  Status take_name(const Name& name) {
    if (names_.insert(name.text).second) return ok_status();
    return text_error(fmt::format("'dup: the result has a column '{}' already", name.text),
                      name.position);
  }

  std::string make_name(const std::string& base) {
    std::string name = base;
    for (int i = 1; !names_.insert(name).second; ++i) name = base + std::to_string(i);
    return name;
  }

  std::string name_of(const PhraseItem& item) {
    return item.alias ? item.alias->text : make_name(item.name);
  }

  Status bind_output(const PhraseItem& item) {
    Output output;
    const Syntax& expression = *item.expression;
    if (is_aggregate(expression, scope_.made)) {
      HDB_ASSIGN(output, bind_aggregate(expression.text, expression.arguments, scope_, plan_));
    } else {
      HDB_ASSIGN(output.field, bind_field(expression, scope_, plan_));
    }
    output.name = name_of(item);
    plan_.outputs.push_back(std::move(output));
    return ok_status();
  }

  Status bind_result(const PhraseItem& item) {
    if (const auto unreadable = unreadable_field(*item.expression, scope_)) {
      plan_.outputs.push_back({name_of(item), Aggregate::kFirst, unreadable, std::nullopt});
      return ok_status();
    }
    HDB_ASSIGN(Expression expression, bind_result_expression(*item.expression, scope_, plan_));
    plan_.results.push_back({name_of(item), std::move(expression)});
    return ok_status();
  }

  const Phrases& phrases_;
  const BindScope& scope_;
  const Table& table_;
  Plan& plan_;
  std::set<std::string> names_;  // of the result's columns so far
};

}  // namespace

void name_items(Phrases& phrases, const BindScope& scope) {
  for (auto* items : {&phrases.columns, &phrases.by}) {
    for (PhraseItem& item : *items) item.name = default_name(*item.expression, scope);
  }
}

bool has_free_column(const Syntax& syntax, const BindScope& scope) {
  if (scope.is_literal(syntax)) return false;
  if (scope.name_of(syntax) != nullptr) return true;
  if (is_aggregate(syntax, scope.made)) return false;
  return std::any_of(syntax.arguments.begin(), syntax.arguments.end(),
                     [&](const Syntax& argument) { return has_free_column(argument, scope); });
}

bool gives_lists(const Phrases& phrases) {
  if (phrases.query.is_update) return false;
  return std::any_of(phrases.columns.begin(), phrases.columns.end(), [&](const PhraseItem& item) {
    const bool has_steps = !item.list.steps.empty() || item.list.aggregate != Aggregate::kNone;
    return has_steps || (!phrases.by.empty() && !item.is_atom &&
                         !has_aggregate(*item.expression, &phrases.made));
  });
}

Status bind_lists(const Phrases& phrases, const BindScope& scope, Plan& plan) {
  Phrases rows = phrases;
  rows.columns.insert(rows.columns.begin(), phrases.by.begin(), phrases.by.end());
  rows.by.clear();
  HDB_TRY(bind_columns(rows, scope, plan));
  RowLists lists{phrases.by.size(), std::vector<ListColumn>(phrases.by.size()), false};
  for (const PhraseItem& item : phrases.columns) {
    lists.columns.push_back(item.list);
    lists.columns.back().is_list = !item.is_atom && item.list.aggregate == Aggregate::kNone;
    lists.are_rows |= phrases.by.empty() && lists.columns.back().is_list;
  }
  for (std::size_t c = 0; c < plan.outputs.size(); ++c) {
    const ListColumn& shown = lists.columns[c];
    const QType type = field_type(plan, scope.table, *plan.outputs[c].field);
    const bool is_value = c < lists.keys || shown.is_list || !shown.steps.empty();
    if (is_value && type == QType::kNested) {
      return text_error(
          fmt::format("'type: {} of {}, which is a list", c < lists.keys ? "keys" : "lists",
                      scope.written(*rows.columns[c].expression)),
          rows.columns[c].expression->begin);
    }
    if (shown.aggregate != Aggregate::kNone && !aggregate_takes(shown.aggregate, type))
      return text_error(fmt::format("'type: an aggregate of {}, which is {}",
                                    scope.written(*rows.columns[c].expression), a_type(type)),
                        rows.columns[c].expression->begin);
  }
  // What chooses items of lists stands behind the columns that are shown.
  for (std::size_t i = 0; i < phrases.columns.size(); ++i) {
    std::size_t next = 0;
    for (ListStep& step : lists.columns[lists.keys + i].steps) {
      if (step.kind != ListStep::Kind::kWhere) continue;
      const Syntax& condition = *phrases.columns[i].chosen_by[next++];
      HDB_ASSIGN(const std::size_t field, bind_field(condition, scope, plan));
      if (field_type(plan, scope.table, field) != QType::kBoolean)
        return text_error("'type: where takes a boolean on its right", condition.begin);
      step.column = plan.outputs.size();
      plan.outputs.push_back(
          {std::string(scope.written(condition)), Aggregate::kNone, field, std::nullopt});
    }
  }
  plan.lists = std::move(lists);
  return ok_status();
}

Status bind_update(const Phrases& phrases, const BindScope& scope, Plan& plan) {
  const Schema& schema = scope.table.schema();
  for (std::size_t field = 0; field < schema.own_fields(); ++field)
    plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
  for (const PhraseItem& item : phrases.columns) {
    Output output;
    output.name = item.alias ? item.alias->text : item.name;
    HDB_ASSIGN(output.field, bind_field(*item.expression, scope, plan));
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

Status bind_columns(const Phrases& phrases, const BindScope& scope, Plan& plan) {
  return ColumnBinder(phrases, scope, plan).run();
}

}  // namespace hdbench::queries

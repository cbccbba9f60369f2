#include "queries/row_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/shaping/result_schema.h"
#include "engine/shaping/windows.h"
#include "queries/column_binder.h"
#include "queries/column_lookup.h"
#include "queries/condition_binder.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/computed_fields.h"
#include "queries/expression/functions.h"
#include "queries/type_text.h"

namespace hdbench::queries {
namespace {

bool is_of_kind(const Syntax& syntax, FunctionKind kind) {
  if (syntax.kind != SyntaxKind::kCall) return false;
  const Function* function = find_function(syntax.text, syntax.arguments.size());
  return function != nullptr && function->kind == kind;
}

bool is_fby(const Syntax& syntax) { return is_of_kind(syntax, FunctionKind::kFby); }
bool is_uniform(const Syntax& syntax) { return is_of_kind(syntax, FunctionKind::kUniform); }
bool is_of_rows(const Syntax& syntax) { return is_fby(syntax) || is_uniform(syntax); }

using Calls = std::vector<Syntax*>;

// The calls that have none in them, in the order of the text. Returns whether there are any.
bool innermost(Syntax& syntax, const std::function<bool(const Syntax&)>& is_wanted, Calls& calls) {
  bool has_any = false;
  for (Syntax& argument : syntax.arguments) has_any |= innermost(argument, is_wanted, calls);
  if (!has_any && is_wanted(syntax)) {
    calls.push_back(&syntax);
    has_any = true;
  }
  return has_any;
}

class RowStager {
 public:
  RowStager(ParsedQuery& query, RowBase& base, const BindTables& tables)
      : query_(query), base_(base), tables_(tables) {}

  Status run() {
    HDB_TRY(stage_conditions());
    HDB_TRY(stage_items());
    if (gives_lists(query_)) return stage_lists();
    return query_.is_update ? stage_update() : ok_status();
  }

 private:
  std::string_view written(const Syntax& syntax) const {
    return tables_.text.substr(syntax.begin, syntax.end - syntax.begin);
  }

  Status stage_conditions() {
    for (std::size_t c = 0; c < query_.where.size();) {
      Calls calls;
      innermost(query_.where[c], is_of_rows, calls);
      if (calls.empty()) {
        ++c;
        continue;
      }
      if (is_fby(*calls.front())) {
        HDB_TRY(stage_fby(*calls.front(), c));
      } else {
        std::erase_if(calls, [](const Syntax* call) { return is_fby(*call); });
        HDB_TRY(stage_windows(calls, {}, c));
      }
      c = 0;  // those before it are the stage's now
    }
    return ok_status();
  }

  // The by phrase, whose functions begin anew in each partition alone, then the select phrase.
  Status stage_items() {
    for (;;) {
      Calls calls;
      for (ParsedItem& item : query_.by) innermost(item.expression, is_of_rows, calls);
      const bool is_of_keys = !calls.empty();
      for (ParsedItem& item : query_.columns) {
        if (!is_of_keys) innermost(item.expression, is_of_rows, calls);
      }
      if (calls.empty()) return ok_status();
      const auto fby = std::find_if(calls.begin(), calls.end(),
                                    [](const Syntax* call) { return is_fby(*call); });
      if (fby != calls.end()) {
        return text_error("not supported yet: fby outside of a condition", (*fby)->position);
      }
      if (query_.is_update && !query_.where.empty()) return no_conditions_of_update();
      name_items();
      std::vector<std::string> keys;
      if (!is_of_keys) {
        HDB_ASSIGN(keys, stage_keys());
      }
      HDB_TRY(stage_windows(calls, keys, query_.where.size()));
    }
  }

  Error no_conditions_of_update() const {
    return text_error(
        "not supported yet: where in update: put the conditions into a query within, "
        "update ... from select from ... where ...",
        query_.where.front().begin);
  }

  // Beside lists, aggregates are every row's of their group, of which the first is shown.
  Status stage_lists() {
    Calls calls;
    for (ParsedItem& item : query_.columns) innermost(item.expression, is_aggregate, calls);
    if (calls.empty()) return ok_status();
    for (ParsedItem& item : query_.columns) item.is_atom = has_aggregate(item.expression);
    name_items();
    HDB_ASSIGN(const std::vector<std::string> keys, stage_keys());
    return stage_aggregates(calls, keys, {}, query_.where.size(), Groups::kOverPartitions);
  }

  // Aggregates of update are every row's of their group.
  Status stage_update() {
    if (!query_.where.empty()) return no_conditions_of_update();
    Calls calls;
    for (ParsedItem& item : query_.columns) innermost(item.expression, is_aggregate, calls);
    name_items();
    if (calls.empty()) {
      query_.by.clear();
      return ok_status();
    }
    HDB_ASSIGN(const std::vector<std::string> keys, stage_keys());
    HDB_TRY(stage_aggregates(calls, keys, {}, 0));
    query_.by.clear();
    return ok_status();
  }

  // Results have the names of the columns that the text has, not of those that stages make.
  void name_items() {
    const Schema& schema = base_.table().schema();
    for (auto* items : {&query_.columns, &query_.by}) {
      for (ParsedItem& item : *items) {
        if (!item.alias && item.made_name.empty())
          item.made_name = default_name(item.expression, schema);
      }
    }
  }

  // Keys that are no columns become columns of the rows. The names of all.
  Result<std::vector<std::string>> stage_keys() {
    std::vector<Syntax> expressions;
    for (const ParsedItem& item : query_.by) expressions.push_back(item.expression);
    HDB_ASSIGN(const std::vector<std::string> names, add_columns(expressions));
    for (std::size_t k = 0; k < names.size(); ++k) become_name(query_.by[k].expression, names[k]);
    return names;
  }

  static void become_name(Syntax& syntax, const std::string& name) {
    syntax.kind = SyntaxKind::kName;
    syntax.text = name;
    syntax.arguments.clear();
  }

  // A name that no column has.
  std::string new_name(const Syntax& syntax) {
    return fmt::format("{} @{}", written(syntax), ++columns_made_);
  }

  // Expressions as columns of the next stage's rows; a column by itself is its own.
  Result<std::vector<std::string>> add_columns(const std::vector<Syntax>& expressions) {
    std::vector<std::string> names;
    for (const Syntax& expression : expressions) {
      HDB_ASSIGN(const auto column, bare_column(expression, base_.table()));
      if (column) {
        names.push_back(expression.text);
        continue;
      }
      names.push_back(new_name(expression));
      made_.push_back({names.back(), expression});
    }
    return names;
  }

  // Whether rows of two partitions may be of one group.
  enum class Groups { kInPartitions, kOverPartitions };

  struct MadeColumn {
    std::string name;
    Syntax expression;
  };

  // What a name in the text reads: a column, or the one before a dot.
  Status need(const Name& name, std::vector<bool>& needed) {
    const Schema& schema = base_.table().schema();
    auto field = schema.find(name.text);
    if (!field) field = schema.find(name.text.substr(0, name.text.rfind('.')));
    if (!field && name.text == "i") {
      needs_rows_ = true;
      return ok_status();
    }
    const auto is_made = [&](const MadeColumn& made) { return made.name == name.text; };
    if (!field && std::any_of(made_.begin(), made_.end(), is_made)) return ok_status();
    if (!field) {
      HDB_ASSIGN(field, find_column(base_.table(), name));
    }
    needed[*field] = true;
    return ok_status();
  }

  Status need_all(const Syntax& syntax, std::vector<bool>& needed) {
    if (syntax.kind == SyntaxKind::kName) return need({syntax.text, syntax.position}, needed);
    for (std::size_t a = 0; a < syntax.arguments.size(); ++a) {
      // The first of (max;size) is a function.
      const bool is_function = is_fby(syntax) && a == 0;
      const Syntax& argument = syntax.arguments[a];
      for (std::size_t e = 1; is_function && e < argument.arguments.size(); ++e)
        HDB_TRY(need_all(argument.arguments[e], needed));
      if (!is_function) HDB_TRY(need_all(argument, needed));
    }
    return ok_status();
  }

  // Which columns the query reads from this condition on.
  Result<std::vector<bool>> needed_from(std::size_t conditions) {
    const Schema& schema = base_.table().schema();
    const bool all = query_.columns.empty() || query_.is_update;
    std::vector<bool> needed(schema.fields.size(), false);
    for (std::size_t field = 0; all && field < schema.own_fields(); ++field) needed[field] = true;
    for (const ParsedItem& item : query_.columns) HDB_TRY(need_all(item.expression, needed));
    for (const ParsedItem& item : query_.by) HDB_TRY(need_all(item.expression, needed));
    for (std::size_t c = conditions; c < query_.where.size(); ++c)
      HDB_TRY(need_all(query_.where[c], needed));
    for (const Name& name : query_.limit.columns) {
      if (schema.find(name.text)) HDB_TRY(need(name, needed));
    }
    return needed;
  }

  // The rows that pass the first conditions: the columns that are read from there on, behind them
  // those that were made. Where partition_ differs, functions begin anew.
  Result<PlanSide> rows_of(std::size_t conditions) {
    const Schema& schema = base_.table().schema();
    const BindScope scope{tables_.text, base_.table(), tables_.unreadable, &tables_};
    HDB_ASSIGN(const std::vector<bool> needed, needed_from(conditions));
    Plan plan;
    plan.source = base_.source;
    for (std::size_t field = 0; field < needed.size(); ++field) {
      if (needed[field])
        plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
    }
    std::size_t own = plan.outputs.size();
    while (own > 0 && schema.fields[*plan.outputs[own - 1].field].followed) --own;
    if (needs_rows_) {
      Syntax row;
      row.text = "i";
      made_.push_back({"i", row});
      needs_rows_ = false;
    }
    for (const MadeColumn& made : made_) {
      HDB_ASSIGN(const std::size_t field, bind_field(made.expression, scope, plan));
      plan.outputs.push_back({made.name, Aggregate::kNone, field, std::nullopt});
    }
    made_.clear();
    keep_partition(plan);
    for (std::size_t c = 0; c < conditions; ++c) {
      HDB_ASSIGN(Condition condition, bind_condition(query_.where[c], scope, plan));
      plan.where.push_back(std::move(condition));
    }
    PlanSide side = side_of(base_, std::move(plan));
    for (std::size_t column = own; column < side.rows.fields.size(); ++column)
      side.rows.fields[column].followed = true;
    return side;
  }

  // The column that tells partitions apart: of the table, or kept from it.
  void keep_partition(Plan& plan) {
    constexpr std::string_view kKept = "partition @0";
    const Schema& schema = base_.table().schema();
    const auto kept = schema.find(kKept);
    if (!schema.partitioned && !schema.was_partitioned && !kept) return;
    partition_ = plan.outputs.size();
    plan.outputs.push_back({std::string(kKept), Aggregate::kNone, kept ? *kept : 0, std::nullopt});
  }

  // Of the keys of a call.
  Result<std::vector<std::size_t>> places_of(const Schema& rows,
                                             const std::vector<std::string>& keys,
                                             const Syntax& call) {
    std::vector<std::size_t> places;
    if (partition_) places.push_back(*partition_);
    for (const std::string& key : keys) {
      places.push_back(*rows.find(key));
      if (rows.fields[places.back()].type == QType::kNested) {
        return text_error(fmt::format("'type: {} by {}, which is a list", call.text,
                                      key.substr(0, key.rfind(" @"))),
                          call.position);
      }
    }
    return places;
  }

  // The base is now what the source makes, under the name that messages know, and these conditions
  // are its own. Calls are found no more: conditions have moved.
  void become(PlanSource source, std::size_t conditions) {
    query_.where.erase(query_.where.begin(),
                       query_.where.begin() + static_cast<std::ptrdiff_t>(conditions));
    const std::string name = base_.table().name();
    const std::size_t keys = base_.keys;
    base_ = make_base(std::move(source), name);
    base_.keys = keys;
    partition_.reset();
  }

  Status stage_windows(const Calls& calls, const std::vector<std::string>& keys,
                       std::size_t conditions) {
    std::vector<Syntax> arguments;
    for (const Syntax* call : calls) arguments.push_back(call->arguments.back());
    HDB_ASSIGN(const std::vector<std::string> inputs, add_columns(arguments));
    std::vector<Window> windows;
    for (std::size_t w = 0; w < calls.size(); ++w) {
      const Function& function = *find_function(calls[w]->text, calls[w]->arguments.size());
      Window window{new_name(*calls[w]), function.uniform, 0, 0, {}};
      if (calls[w]->arguments.size() == 2) {
        HDB_ASSIGN(window.length, length_of(calls[w]->arguments.front(), *calls[w]));
      }
      windows.push_back(std::move(window));
    }
    PlanSource source;
    source.kind = SourceKind::kWindows;
    HDB_ASSIGN(source.left, rows_of(conditions));
    source.schema = source.left.rows;
    for (std::size_t w = 0; w < calls.size(); ++w) {
      Window& window = windows[w];
      window.input = *source.schema.find(inputs[w]);
      HDB_ASSIGN(window.by, places_of(source.schema, keys, *calls[w]));
      HDB_TRY(add_window(window, *calls[w], source.schema));
      become_name(*calls[w], window.name);
    }
    source.windows = std::move(windows);
    become(std::move(source), conditions);
    return ok_status();
  }

  Status add_window(const Window& window, const Syntax& call, Schema& schema) const {
    const Field& input = schema.fields[window.input];
    const auto type = window_type(window.function, input.type);
    if (!type) {
      return text_error(fmt::format("'type: {} of {}, which is {}", call.text,
                                    written(call.arguments.back()), a_type(input.type)),
                        call.position);
    }
    Field made{window.name, *type, Attribute::kNone,
               *type == QType::kSymbol ? input.domain : nullptr};
    made.followed = true;
    schema.fields.push_back(std::move(made));
    return ok_status();
  }

  // How long a window is, how far back xprev looks.
  static Result<std::int64_t> length_of(const Syntax& syntax, const Syntax& call) {
    const bool is_atom = syntax.kind == SyntaxKind::kLiteral && !syntax.literal.is_list &&
                         syntax.literal.type >= QType::kShort &&
                         syntax.literal.type <= QType::kLong && !is_null(syntax.literal.atoms[0]);
    if (!is_atom) {
      return text_error(fmt::format("'type: {} takes a number of rows on its left, such as 5 {} x",
                                    call.text, call.text),
                        syntax.begin);
    }
    return std::get<std::int64_t>(syntax.literal.atoms.front().value);
  }

  // (max;size) fby sym: the aggregate of the row's group.
  Status stage_fby(Syntax& call, std::size_t conditions) {
    const Syntax& pair = call.arguments[0];
    const Syntax& by = call.arguments[1];
    const bool is_pair = pair.kind == SyntaxKind::kList && pair.arguments.size() == 2 &&
                         pair.arguments[0].kind == SyntaxKind::kName;
    const Function* function = is_pair ? find_function(pair.arguments[0].text, 1) : nullptr;
    if (function == nullptr || function->kind != FunctionKind::kAggregate) {
      return text_error("fby takes an aggregate and its values on its left, such as (max;size)",
                        pair.begin);
    }
    const bool is_table = by.kind == SyntaxKind::kList && by.text == "[]";
    HDB_ASSIGN(const std::vector<std::string> keys,
               add_columns(is_table ? by.arguments : std::vector<Syntax>{by}));
    Syntax aggregate = pair.arguments[1];
    const std::size_t position = pair.arguments[0].position;
    aggregate = {SyntaxKind::kCall, pair.arguments[0].text, position, {}, {aggregate}, pair.begin,
                 pair.end};
    Calls calls = {&call};
    return stage_aggregates(calls, keys, {aggregate}, conditions);
  }

  // Puts the groups' aggregates beside their rows: of these calls, or of others that stand for
  // them.
  Status stage_aggregates(const Calls& calls, const std::vector<std::string>& keys,
                          const std::vector<Syntax>& instead, std::size_t conditions,
                          Groups groups_are = Groups::kInPartitions) {
    PlanSource source;
    source.kind = SourceKind::kLeft;
    source.is_right_over_left = true;
    HDB_ASSIGN(source.left, rows_of(conditions));
    const Schema& rows = source.left.rows;
    if (groups_are == Groups::kOverPartitions) partition_.reset();
    HDB_ASSIGN(source.left_keys, places_of(rows, keys, *calls.front()));
    const PlannedTable planned(base_.table().name(), rows);
    const BindScope scope{tables_.text, planned, tables_.unreadable, &tables_};
    Plan groups;
    for (const std::size_t key : source.left_keys) {
      source.right_keys.push_back(groups.by.size());
      groups.by.push_back({rows.fields[key].name, key});
    }
    for (std::size_t column = 0; column < rows.fields.size(); ++column)
      source.columns.push_back({rows.fields[column].name, false, column});
    for (std::size_t a = 0; a < calls.size(); ++a) {
      HDB_ASSIGN(Output output,
                 bind_aggregate(instead.empty() ? *calls[a] : instead[a], scope, groups));
      output.name = new_name(*calls[a]);
      source.columns.push_back({output.name, true, groups.by.size() + a});
      become_name(*calls[a], output.name);
      groups.outputs.push_back(std::move(output));
    }
    source.right.rows = result_schema(groups, rows);
    source.right.plan = std::make_shared<const Plan>(std::move(groups));
    for (Field& field : source.right.rows.fields) field.followed = true;
    become(std::move(source), conditions);
    return ok_status();
  }

  ParsedQuery& query_;
  RowBase& base_;
  const BindTables& tables_;
  std::vector<MadeColumn> made_;  // of the next stage's rows
  bool needs_rows_ = false;       // i
  std::optional<std::size_t> partition_;
  std::size_t columns_made_ = 0;
};

}  // namespace

bool gives_lists(const ParsedQuery& query) {
  if (query.is_update || query.by.empty()) return false;
  return std::any_of(query.columns.begin(), query.columns.end(), [](const ParsedItem& item) {
    return !item.is_atom && !has_aggregate(item.expression);
  });
}

Status stage_rows(ParsedQuery& query, RowBase& base, const BindTables& tables) {
  return RowStager(query, base, tables).run();
}

}  // namespace hdbench::queries

#include "queries/row_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/shaping/result_schema.h"
#include "engine/shaping/windows.h"
#include "queries/column_binder.h"
#include "queries/condition_binder.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/expression_binder.h"
#include "queries/expression/functions.h"
#include "queries/list_steps.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

bool is_fby(const Syntax& syntax) { return is_of_kind(syntax, FunctionKind::kFby); }
bool is_uniform(const Syntax& syntax) { return is_of_kind(syntax, FunctionKind::kUniform); }
bool is_of_rows(const Syntax& syntax) { return is_fby(syntax) || is_uniform(syntax); }

using Calls = std::vector<const Syntax*>;

class RowStager {
 public:
  RowStager(Phrases& phrases, RowBase& base, const BindContext& context)
      : phrases_(phrases), base_(base), context_(context) {}

  Status run() {
    HDB_TRY(stage_conditions());
    HDB_TRY(stage_items());
    if (is_update()) return stage_update();
    keep_atoms();
    for (PhraseItem& item : phrases_.columns) HDB_TRY(take_list_steps(item, scope()));
    if (gives_lists(phrases_) || mixes()) return stage_lists();
    return ok_status();
  }

 private:
  bool is_update() const { return phrases_.query.is_update; }
  BindScope scope() const { return {context_, base_.table(), &phrases_.made}; }

  // The calls that have none in them and are no columns yet, in the order of the text. Returns
  // whether there are any.
  bool innermost(const Syntax& syntax, const std::function<bool(const Syntax&)>& is_wanted,
                 Calls& calls) const {
    if (phrases_.made.contains(&syntax)) return false;
    bool has_any = false;
    for (const Syntax& argument : syntax.arguments)
      has_any |= innermost(argument, is_wanted, calls);
    if (!has_any && is_wanted(syntax)) {
      calls.push_back(&syntax);
      has_any = true;
    }
    return has_any;
  }

  // A constant is one value a group, and beside aggregates one value: the first of its rows.
  void keep_atoms() {
    bool gives_one = false;
    for (const PhraseItem& item : phrases_.columns)
      gives_one |= has_aggregate(*item.expression, &phrases_.made);
    for (const PhraseItem& item : phrases_.columns)
      gives_one &= !has_free_column(*item.expression, scope());
    if (phrases_.by.empty() && !gives_one) return;
    for (PhraseItem& item : phrases_.columns) {
      const bool is_constant = !has_free_column(*item.expression, scope()) &&
                               !has_aggregate(*item.expression, &phrases_.made);
      if (!is_constant) continue;
      phrases_.added.push_back(
          std::make_shared<const Syntax>(call_of("first", {*item.expression})));
      item.expression = phrases_.added.back().get();
    }
  }

  // Of one value of the table that is known already: last date.
  bool is_partition_end(const Syntax& syntax) const {
    const Schema& schema = base_.table().schema();
    return schema.partitioned && syntax.arguments.size() == 1 &&
           syntax.arguments[0].kind == SyntaxKind::kName &&
           syntax.arguments[0].text == schema.fields[0].name &&
           (syntax.text == "first" || syntax.text == "last" || syntax.text == "min" ||
            syntax.text == "max");
  }

  // Aggregates within aggregates, the innermost of them.
  void add_nested_aggregates(const Syntax& syntax, bool is_within, Calls& calls) const {
    if (phrases_.made.contains(&syntax)) return;
    const bool is_one = is_aggregate(syntax, &phrases_.made);
    const std::size_t before = calls.size();
    for (const Syntax& argument : syntax.arguments)
      add_nested_aggregates(argument, is_within || is_one, calls);
    if (is_one && is_within && calls.size() == before && !is_partition_end(syntax))
      calls.push_back(&syntax);
  }

  // Columns beside aggregates, without keys.
  bool mixes() const {
    bool has_columns = false;
    bool has_aggregates = false;
    for (const PhraseItem& item : phrases_.columns) {
      has_columns |= has_free_column(*item.expression, scope());
      has_aggregates |= has_aggregate(*item.expression, &phrases_.made);
    }
    return has_columns && has_aggregates;
  }

  Calls aggregates_of_columns() const {
    Calls calls;
    const auto is_wanted = [](const Syntax& syntax) { return is_aggregate(syntax); };
    for (const PhraseItem& item : phrases_.columns) innermost(*item.expression, is_wanted, calls);
    return calls;
  }

  Status stage_conditions() {
    for (std::size_t c = 0; c < phrases_.where.size();) {
      Calls calls;
      const auto is_wanted = [this](const Syntax& syntax) {
        return is_of_rows(syntax) || (is_aggregate(syntax) && !is_partition_end(syntax));
      };
      innermost(*phrases_.where[c], is_wanted, calls);
      if (calls.empty()) {
        ++c;
        continue;
      }
      const auto of_kind = [&](bool (*is_of_it)(const Syntax&)) {
        Calls some;
        std::copy_if(calls.begin(), calls.end(), std::back_inserter(some),
                     [&](const Syntax* call) { return is_of_it(*call); });
        return some;
      };
      if (is_fby(*calls.front())) {
        HDB_TRY(stage_fby(*calls.front(), c));
      } else if (is_uniform(*calls.front())) {
        HDB_TRY(stage_windows(of_kind(is_uniform), {}, c));
      } else {
        HDB_TRY(stage_aggregates(of_kind([](const Syntax& call) { return is_aggregate(call); }), {},
                                 c));
      }
      c = 0;  // those before it are the stage's now
    }
    return ok_status();
  }

  // The by phrase, whose functions begin anew in each partition alone, then the select phrase.
  Status stage_items() {
    for (;;) {
      Calls calls;
      for (const PhraseItem& item : phrases_.by) innermost(*item.expression, is_of_rows, calls);
      const bool is_of_keys = !calls.empty();
      for (const PhraseItem& item : phrases_.columns) {
        if (!is_of_keys) innermost(*item.expression, is_of_rows, calls);
      }
      if (calls.empty()) {
        HDB_ASSIGN(const bool made, stage_nested_aggregates());
        if (made) continue;
        return ok_status();
      }
      if (is_update() && !phrases_.where.empty()) return no_conditions_of_update();
      const auto fby = std::find_if(calls.begin(), calls.end(),
                                    [](const Syntax* call) { return is_fby(*call); });
      if (fby != calls.end()) {
        HDB_TRY(stage_fby(**fby, phrases_.where.size()));
        continue;
      }
      std::vector<std::string> keys;
      if (!is_of_keys) {
        HDB_ASSIGN(keys, stage_keys());
      }
      HDB_TRY(stage_windows(calls, keys, phrases_.where.size()));
    }
  }

  // max price-min price: the inner one is every row's of its group. Whether there was any.
  Result<bool> stage_nested_aggregates() {
    Calls calls;
    for (const PhraseItem& item : phrases_.columns)
      add_nested_aggregates(*item.expression, false, calls);
    if (calls.empty()) return false;
    if (is_update() && !phrases_.where.empty()) return no_conditions_of_update();
    HDB_ASSIGN(const std::vector<std::string> keys, stage_keys());
    HDB_TRY(stage_aggregates(calls, keys, phrases_.where.size()));
    return true;
  }

  Error no_conditions_of_update() const {
    return text_error(
        "not supported yet: where in update: put the conditions into a query within, "
        "update ... from select from ... where ...",
        phrases_.where.front()->begin);
  }

  // Beside lists, aggregates are every row's of their group, of which the first is shown; without
  // keys every row's of its partition.
  Status stage_lists() {
    const Calls calls = aggregates_of_columns();
    if (calls.empty()) return ok_status();
    for (PhraseItem& item : phrases_.columns) {
      item.is_atom = has_aggregate(*item.expression, &phrases_.made) &&
                     !has_free_column(*item.expression, scope());
    }
    HDB_ASSIGN(const std::vector<std::string> keys, stage_keys());
    const bool has_keys = !keys.empty();
    return stage_aggregates(calls, keys, phrases_.where.size(),
                            has_keys ? Groups::kOverPartitions : Groups::kInPartitions);
  }

  // Aggregates of update are every row's of their group.
  Status stage_update() {
    if (!phrases_.where.empty()) return no_conditions_of_update();
    const Calls calls = aggregates_of_columns();
    if (!calls.empty()) {
      HDB_ASSIGN(const std::vector<std::string> keys, stage_keys());
      HDB_TRY(stage_aggregates(calls, keys, 0));
    }
    phrases_.by.clear();
    return ok_status();
  }

  // Keys that are no columns become columns of the rows. The names of all.
  Result<std::vector<std::string>> stage_keys() {
    Calls expressions;
    for (const PhraseItem& item : phrases_.by) expressions.push_back(item.expression);
    HDB_ASSIGN(const std::vector<std::string> names, add_columns(expressions));
    for (std::size_t k = 0; k < names.size(); ++k) phrases_.made[expressions[k]] = names[k];
    return names;
  }

  // A name that no column has.
  std::string new_name(const Syntax& syntax) {
    return fmt::format("{} @{}", scope().written(syntax), ++columns_made_);
  }

  // Expressions as columns of the next stage's rows; a column by itself is its own.
  Result<std::vector<std::string>> add_columns(const Calls& expressions) {
    std::vector<std::string> names;
    for (const Syntax* expression : expressions) {
      HDB_ASSIGN(const auto column, bare_column(*expression, scope()));
      if (column) {
        names.push_back(*scope().name_of(*expression));
        continue;
      }
      names.push_back(new_name(*expression));
      made_.push_back({names.back(), expression});
    }
    return names;
  }

  // Whether rows of two partitions may be of one group.
  enum class Groups { kInPartitions, kOverPartitions };

  struct MadeColumn {
    std::string name;
    const Syntax* expression = nullptr;
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
    if (scope().is_literal(syntax)) return ok_status();
    if (const std::string* const name = scope().name_of(syntax))
      return need({*name, syntax.position}, needed);
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
    const bool all = phrases_.columns.empty() || is_update();
    std::vector<bool> needed(schema.fields.size(), false);
    for (std::size_t field = 0; all && field < schema.own_fields(); ++field) needed[field] = true;
    for (const PhraseItem& item : phrases_.columns) {
      HDB_TRY(need_all(*item.expression, needed));
      for (const Syntax* condition : item.chosen_by) HDB_TRY(need_all(*condition, needed));
    }
    for (const PhraseItem& item : phrases_.by) HDB_TRY(need_all(*item.expression, needed));
    for (std::size_t c = conditions; c < phrases_.where.size(); ++c)
      HDB_TRY(need_all(*phrases_.where[c], needed));
    for (const Name& name : phrases_.query.limit.columns) {
      if (schema.find(name.text)) HDB_TRY(need(name, needed));
    }
    return needed;
  }

  // The rows that pass the first conditions: the columns that are read from there on, behind them
  // those that were made. Where partition_ differs, functions begin anew.
  Result<PlanSide> rows_of(std::size_t conditions) {
    const Schema& schema = base_.table().schema();
    // The columns that this stage makes are still the expressions that they are made of.
    MadeColumns known = phrases_.made;
    for (const MadeColumn& made : made_) known.erase(made.expression);
    const BindScope bound_in{context_, base_.table(), &known};
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
      static const Syntax kRow{SyntaxKind::kName, "i"};
      made_.push_back({"i", &kRow});
      needs_rows_ = false;
    }
    for (const MadeColumn& made : made_) {
      HDB_ASSIGN(const std::size_t field, bind_field(*made.expression, bound_in, plan));
      plan.outputs.push_back({made.name, Aggregate::kNone, field, std::nullopt});
    }
    made_.clear();
    keep_partition(plan);
    for (std::size_t c = 0; c < conditions; ++c) {
      HDB_ASSIGN(Condition condition, bind_condition(*phrases_.where[c], bound_in, plan));
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
    if (!kept) partition_column_ = schema.fields[0].name;
    partition_ = plan.outputs.size();
    plan.outputs.push_back({std::string(kKept), Aggregate::kNone, kept ? *kept : 0, std::nullopt});
  }

  // Of the keys of a call.
  Result<std::vector<std::size_t>> places_of(const Schema& rows,
                                             const std::vector<std::string>& keys,
                                             const Syntax& call) {
    std::vector<std::size_t> places;
    const bool tells_partitions =
        std::find(keys.begin(), keys.end(), partition_column_) != keys.end();
    if (partition_ && !tells_partitions) places.push_back(*partition_);
    for (const std::string& key : keys) {
      const auto place = rows.find(key);
      HDB_CHECK(place, "a key is a column of the rows");
      places.push_back(*place);
      if (rows.fields[places.back()].type == QType::kNested) {
        return text_error(fmt::format("'type: {} by {}, which is a list", call.text,
                                      key.substr(0, key.rfind(" @"))),
                          call.position);
      }
    }
    return places;
  }

  // The base is now what the source makes, under the name that messages know, and these conditions
  // are its own.
  void become(PlanSource source, std::size_t conditions) {
    phrases_.where.erase(phrases_.where.begin(),
                         phrases_.where.begin() + static_cast<std::ptrdiff_t>(conditions));
    const std::string name = base_.table().name();
    const std::size_t keys = base_.keys;
    base_ = make_base(std::move(source), name);
    base_.keys = keys;
    partition_.reset();
  }

  // A uniform function of rows: a call of its own, or that of (function;values) fby keys.
  struct WindowCall {
    const Syntax* call = nullptr;
    const Function* function = nullptr;
    const Syntax* input = nullptr;
    std::int64_t length = 0;
  };

  Status stage_windows(const Calls& calls, const std::vector<std::string>& keys,
                       std::size_t conditions) {
    std::vector<WindowCall> windows;
    for (const Syntax* call : calls) {
      WindowCall window{call, find_function(call->text, call->arguments.size()),
                        &call->arguments.back()};
      if (call->arguments.size() == 2) {
        HDB_ASSIGN(window.length, length_of(call->arguments.front(), *call, scope()));
      }
      windows.push_back(window);
    }
    return stage_windows(windows, keys, conditions);
  }

  Status stage_windows(const std::vector<WindowCall>& calls, const std::vector<std::string>& keys,
                       std::size_t conditions) {
    Calls arguments;
    for (const WindowCall& one : calls) arguments.push_back(one.input);
    HDB_ASSIGN(const std::vector<std::string> inputs, add_columns(arguments));
    PlanSource source;
    source.kind = SourceKind::kWindows;
    std::vector<std::string> names;
    for (const WindowCall& one : calls) names.push_back(new_name(*one.call));
    HDB_ASSIGN(source.left, rows_of(conditions));
    source.schema = source.left.rows;
    for (std::size_t w = 0; w < calls.size(); ++w) {
      const WindowCall& one = calls[w];
      Window window{
          names[w], one.function->uniform, *source.schema.find(inputs[w]), one.length, {}};
      HDB_ASSIGN(window.by, places_of(source.schema, keys, *one.call));
      HDB_TRY(add_window(window, one, source.schema));
      phrases_.made[one.call] = window.name;
      source.windows.push_back(std::move(window));
    }
    become(std::move(source), conditions);
    return ok_status();
  }

  Status add_window(const Window& window, const WindowCall& one, Schema& schema) const {
    const Field& input = schema.fields[window.input];
    const auto type = window_type(window.function, input.type);
    if (!type) {
      return text_error(fmt::format("'type: {} of {}, which is {}", one.function->name,
                                    scope().written(*one.input), a_type(input.type)),
                        one.call->position);
    }
    Field made{window.name, *type, Attribute::kNone,
               *type == QType::kSymbol ? input.domain : nullptr};
    if (window.function == Uniform::kString) made.items = QType::kChar;
    made.followed = true;
    schema.fields.push_back(std::move(made));
    return ok_status();
  }

  // (max;size) fby sym: the aggregate of the row's group.
  Status stage_fby(const Syntax& call, std::size_t conditions) {
    const Syntax& pair = call.arguments[0];
    const Syntax& by = call.arguments[1];
    const bool is_pair = pair.kind == SyntaxKind::kList && pair.arguments.size() == 2 &&
                         pair.arguments[0].kind == SyntaxKind::kName;
    const Function* function = is_pair ? find_function(pair.arguments[0].text, 1) : nullptr;
    const bool is_window = function != nullptr && function->kind == FunctionKind::kUniform;
    if (!is_window && (function == nullptr || function->kind != FunctionKind::kAggregate)) {
      return text_error("fby takes an aggregate and its values on its left, such as (max;size)",
                        pair.begin);
    }
    const bool is_table = by.kind == SyntaxKind::kList && by.text == "[]";
    Calls expressions;
    if (!is_table) expressions.push_back(&by);
    for (const Syntax& key : by.arguments) {
      if (is_table) expressions.push_back(&key);
    }
    HDB_ASSIGN(const std::vector<std::string> keys, add_columns(expressions));
    if (is_window)
      return stage_windows(std::vector<WindowCall>{{&call, function, &pair.arguments[1]}}, keys,
                           conditions);
    return stage_aggregates({&call}, keys, conditions);
  }

  // Puts the groups' aggregates beside their rows.
  Status stage_aggregates(const Calls& calls, const std::vector<std::string>& keys,
                          std::size_t conditions, Groups groups_are = Groups::kInPartitions) {
    PlanSource source;
    source.kind = SourceKind::kLeft;
    source.is_right_over_left = true;
    HDB_ASSIGN(source.left, rows_of(conditions));
    const Schema& rows = source.left.rows;
    if (groups_are == Groups::kOverPartitions) partition_.reset();
    HDB_ASSIGN(source.left_keys, places_of(rows, keys, *calls.front()));
    const PlannedTable planned(base_.table().name(), rows);
    const BindScope bound_in{context_, planned, &phrases_.made};
    Plan groups;
    for (const std::size_t key : source.left_keys) {
      source.right_keys.push_back(groups.by.size());
      groups.by.push_back({rows.fields[key].name, key});
    }
    for (std::size_t column = 0; column < rows.fields.size(); ++column)
      source.columns.push_back({rows.fields[column].name, false, column});
    for (std::size_t a = 0; a < calls.size(); ++a) {
      HDB_ASSIGN(Output output, bind_call(*calls[a], bound_in, groups));
      output.name = new_name(*calls[a]);
      source.columns.push_back({output.name, true, groups.by.size() + a});
      phrases_.made[calls[a]] = output.name;
      groups.outputs.push_back(std::move(output));
    }
    source.right.rows = result_schema(groups, rows);
    source.right.plan = std::make_shared<const Plan>(std::move(groups));
    for (Field& field : source.right.rows.fields) field.followed = true;
    become(std::move(source), conditions);
    return ok_status();
  }

  // An aggregate, or that of (aggregate;values) fby keys.
  static Result<Output> bind_call(const Syntax& call, const BindScope& scope, Plan& groups) {
    if (!is_fby(call)) return bind_aggregate(call.text, call.arguments, scope, groups);
    const std::span<const Syntax> pair = call.arguments[0].arguments;
    return bind_aggregate(pair[0].text, pair.subspan(1), scope, groups);
  }

  Phrases& phrases_;
  RowBase& base_;
  const BindContext& context_;
  std::vector<MadeColumn> made_;  // of the next stage's rows
  bool needs_rows_ = false;       // i
  std::optional<std::size_t> partition_;
  std::string partition_column_;  // the table's own, which as a key tells partitions apart as well
  std::size_t columns_made_ = 0;
};

}  // namespace

Status stage_rows(Phrases& phrases, RowBase& base, const BindContext& context) {
  return RowStager(phrases, base, context).run();
}

}  // namespace hdbench::queries

#include "queries/query.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/shaping/result_schema.h"
#include "queries/bind_scope.h"
#include "queries/column_binder.h"
#include "queries/condition_binder.h"
#include "queries/row_stages.h"
#include "queries/table_binder.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

class QueryBinder {
 public:
  QueryBinder(const Query& query, const BindContext& context)
      : query_(query), context_(context), phrases_(query) {}

  Result<PlanSide> run(const TableSyntax& table, ListForm lists) {
    HDB_ASSIGN(base_, bind_base(table, context_));
    name_items(phrases_, {context_, base_.table(), nullptr});
    HDB_TRY(stage_rows(phrases_, base_, context_));
    Plan plan;
    plan.source = base_.source;
    const BindScope scope{context_, base_.table(), &phrases_.made};
    for (const Name& name : query_.deleted)
      HDB_TRY(find_column(base_.table(), name, context_.tables.unreadable));
    HDB_TRY(gives_lists(phrases_) ? bind_lists(phrases_, scope, plan)
            : query_.is_update    ? bind_update(phrases_, scope, plan)
                                  : bind_columns(phrases_, scope, plan));
    if (plan.lists) plan.lists->are_rows |= lists == ListForm::kUngrouped;
    for (const Syntax* syntax : phrases_.where) {
      HDB_ASSIGN(Condition condition, bind_condition(*syntax, scope, plan));
      plan.where.push_back(std::move(condition));
    }
    if (query_.pivot != Plan::Pivot::kNone) HDB_TRY(bind_pivot(plan));
    const bool keeps_keys = query_.columns.empty() || query_.is_update;
    if (keeps_keys && phrases_.by.empty()) plan.source_keys = base_.keys;
    HDB_TRY(bind_shape(plan));
    return side_of(base_, std::move(plan));
  }

 private:
  // The last key's values become columns.
  Status bind_pivot(Plan& plan) const {
    const bool is_pivot = base_.keys > 1 && plan.outputs.size() == base_.keys + 1;
    if (!is_pivot)
      return text_error(
          "'type: a pivot takes select ... by two keys or more, with one column beside "
          "them",
          *query_.pivot_position);
    const QType type = base_.table().schema().fields[base_.keys].type;
    if (type == QType::kNested)
      return text_error("'type: a pivot of lists", *query_.pivot_position);
    plan.pivot = query_.pivot;
    return ok_status();
  }

  Status bind_shape(Plan& plan) {
    const bool has_rows = plan.by.empty() && !plan.aggregates();
    if (query_.distinct && !phrases_.by.empty())
      return text_error("distinct and by: groups are distinct already", *query_.distinct);
    if (plan.lists && phrases_.by.empty() && (query_.distinct || query_.limit.position)) {
      return text_error(
          "not supported yet: distinct and select[...] of what is made of a list: write "
          "distinct select ..., 5 sublist select ...",
          query_.distinct ? *query_.distinct : *query_.limit.position);
    }
    plan.distinct = query_.distinct && has_rows;
    if (!query_.limit.position) return ok_status();
    if (!phrases_.by.empty()) {
      return text_error(
          "select[...] of a query with by: write select[...] from select ... by ..., or "
          "n sublist column for the first of each group",
          *query_.limit.position);
    }
    if (!query_.limit.rows.empty()) HDB_TRY(bind_take(plan));
    for (const Name& name : query_.limit.columns) HDB_TRY(bind_order(name, plan));
    return ok_status();
  }

  Status bind_take(Plan& plan) {
    std::vector<std::int64_t> numbers;
    for (const Atom& atom : query_.limit.rows) {
      const auto* number = std::get_if<std::int64_t>(&atom.value);
      if (number == nullptr || is_null(atom) || atom.type > QType::kLong)
        return text_error("'type: select[...] takes a number of rows", atom.position);
      numbers.push_back(*number);
    }
    if (numbers.size() > 2 || (numbers.size() == 2 && (numbers[0] < 0 || numbers[1] < 0))) {
      return text_error("select[...] takes a number of rows, or a first row and a number",
                        query_.limit.rows.front().position);
    }
    plan.take = numbers.size() == 1 ? RowTake{0, numbers[0]} : RowTake{numbers[0], numbers[1]};
    return ok_status();
  }

  // A column of the result, else one of the table, which is then read for the order alone.
  Status bind_order(const Name& name, Plan& plan) {
    const Schema rows = result_schema(plan, base_.table().schema());
    std::optional<std::size_t> column = rows.find(name.text);
    QType type = column ? rows.fields[*column].type : QType::kLong;
    if (!column) {
      HDB_ASSIGN(const std::size_t field, find_column(base_.table(), name));
      if (plan.distinct || plan.aggregates()) {
        return text_error(fmt::format("the rows have no column '{}' to sort by", name.text),
                          name.position);
      }
      type = base_.table().schema().fields[field].type;
      column = plan.outputs.size();
      plan.outputs.push_back({name.text, Aggregate::kNone, field, std::nullopt});
      ++plan.hidden;
    }
    if (type == QType::kNested) {
      return text_error(fmt::format("'type: sorting by {}, which is a list", name.text),
                        name.position);
    }
    plan.order = RowOrder{{*column}, query_.limit.descending};
    return ok_status();
  }

  const Query& query_;
  const BindContext& context_;
  Phrases phrases_;  // as the stages leave them
  RowBase base_;
};

}  // namespace

Result<PlanSide> bind_query(const Query& query, const TableSyntax& table,
                            const BindContext& context, ListForm lists) {
  return QueryBinder(query, context).run(table, lists);
}

Result<BoundQuery> bind(const Query& query, const BindTables& tables) {
  HDB_ASSIGN(PlanSide side, bind_query(query, query.table, {query.text, tables}));
  BoundQuery bound{side.table, side.plan};
  if (!query.tables.empty()) {
    HDB_ASSIGN(bound.table, tables.find(query.tables.front().text));
    return bound;
  }
  while (bound.table == nullptr) {
    side = side.plan->source->left;
    bound.table = side.table;
  }
  return bound;
}

}  // namespace hdbench::queries

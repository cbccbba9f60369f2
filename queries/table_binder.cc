#include "queries/table_binder.h"

#include <optional>
#include <string>
#include <utility>

#include "engine/shaping/result_schema.h"
#include "queries/join_binder.h"
#include "queries/stage_binder.h"

namespace hdbench::queries {

Result<PlanSide> bind_side(const TableSyntax& syntax, const BindContext& context, ListForm lists) {
  static const Query kAll;
  if (syntax.kind == TableForm::kQuery)
    return bind_query(*syntax.query, syntax.query->table, context, lists);
  return bind_query(kAll, syntax, context);
}

Result<RowBase> bind_base(const TableSyntax& syntax, const BindContext& context) {
  switch (syntax.kind) {
    case TableForm::kName: {
      RowBase base;
      HDB_ASSIGN(base.leaf, context.tables.find(syntax.name.text));
      return base;
    }
    case TableForm::kJoin: return bind_join(syntax, context);
    case TableForm::kStage: return bind_stage(syntax, context);
    case TableForm::kEach: return bind_each(syntax, context);
    case TableForm::kTables: return bind_tables(syntax, context);
    case TableForm::kQuery: break;
  }
  HDB_ASSIGN(PlanSide rows, bind_query(*syntax.query, syntax.query->table, context));
  return make_base_of(std::move(rows), "the query within");
}

RowBase make_base_of(PlanSide rows, const std::string& name) {
  PlanSource source;
  source.left = std::move(rows);
  source.schema = source.left.rows;
  const std::size_t keys = key_count(*source.left.plan);
  RowBase base = make_base(std::move(source), name);
  base.keys = keys;
  return base;
}

PlanSide all_of(const RowBase& base) {
  Plan plan;
  plan.source = base.source;
  plan.source_keys = base.keys;
  const Schema& schema = base.table().schema();
  for (std::size_t field = 0; field < schema.own_fields(); ++field)
    plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
  return side_of(base, std::move(plan));
}

RowBase make_base(PlanSource source, const std::string& name) {
  if (source.schema.fields.empty()) {
    for (const SourceColumn& column : source.columns) {
      const Schema& side = column.is_right ? source.right.rows : source.left.rows;
      source.schema.fields.push_back(side.fields[column.column]);
      source.schema.fields.back().name = column.name;
    }
  }
  RowBase base;
  base.planned = std::make_shared<const PlannedTable>(name, source.schema);
  base.source = std::make_shared<const PlanSource>(std::move(source));
  return base;
}

PlanSide side_of(const RowBase& base, Plan plan) {
  PlanSide side;
  side.table = base.leaf;
  side.rows = result_schema(plan, base.table().schema());
  side.plan = std::make_shared<const Plan>(std::move(plan));
  return side;
}

}  // namespace hdbench::queries

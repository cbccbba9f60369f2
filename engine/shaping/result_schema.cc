#include "engine/shaping/result_schema.h"

#include <utility>

#include "engine/operator/aggregator.h"

namespace hdbench {
namespace {

// A field of a plan, computed or not, as a column of another name.
Field as_column(const Plan& plan, const Schema& schema, std::size_t field, std::string name) {
  if (field < schema.fields.size()) {
    const Field& shown = schema.fields[field];
    Field column{std::move(name), shown.type, Attribute::kNone, shown.domain, shown.unreadable};
    column.items = shown.items;
    return column;
  }
  const Expression& expression = plan.computed[field - schema.fields.size()].expression;
  return {std::move(name), expression.type(), Attribute::kNone, expression.domain};
}

Field output_column(const Plan& plan, const Schema& schema, const Output& output) {
  if (!output.field) return {output.name, QType::kLong, Attribute::kNone, nullptr};
  Field column = as_column(plan, schema, *output.field, output.name);
  const QType type = aggregate_type(output.aggregate, column.type);
  if (type != column.type) column.domain = nullptr;
  column.type = type;
  return column;
}

// A column of lists, of their items, or of aggregates of them.
Field listed(const RowLists& lists, const ListColumn& column, Field items) {
  if (column.aggregate != Aggregate::kNone) {
    const QType type = aggregate_type(column.aggregate, items.type);
    if (type != items.type) items.domain = nullptr;
    items.type = type;
  } else if (column.is_list && !lists.are_rows) {
    items.items = items.type;
    items.type = QType::kNested;
  }
  return items;
}

void add_leaves(const Table* table, const Plan& plan, std::vector<PlanLeaf>& leaves) {
  if (plan.source != nullptr) {
    const PlanSource& source = *plan.source;
    add_leaves(source.left.table, *source.left.plan, leaves);
    if (source.right.plan != nullptr && !source.is_right_over_left)
      add_leaves(source.right.table, *source.right.plan, leaves);
  }
  for (const ConditionQuery& query : plan.condition_queries)
    add_leaves(query.query.table, *query.query.plan, leaves);
  if (plan.source == nullptr) leaves.push_back({*table, plan});
}

}  // namespace

Schema result_schema(const Plan& plan, const Schema& schema) {
  Schema result;
  for (const GroupKey& key : plan.by)
    result.fields.push_back(as_column(plan, schema, key.field, key.name));
  std::vector<Field> outputs;
  for (const Output& output : plan.outputs) outputs.push_back(output_column(plan, schema, output));
  if (plan.results.empty()) {
    outputs.resize(plan.lists ? plan.lists->columns.size() : outputs.size() - plan.hidden);
    for (std::size_t o = 0; plan.lists && o < outputs.size(); ++o)
      outputs[o] = listed(*plan.lists, plan.lists->columns[o], std::move(outputs[o]));
    for (Field& field : outputs) result.fields.push_back(std::move(field));
  }
  for (const ResultExpression& shown : plan.results) {
    result.fields.push_back(
        {shown.name, shown.expression.type(), Attribute::kNone, shown.expression.domain});
  }
  // What comes of the last key is not known before the rows are.
  if (plan.pivot != Plan::Pivot::kNone) result.fields.resize(key_count(plan) - 1);
  return result;
}

std::size_t key_count(const Plan& plan) {
  if (plan.is_exec) return 0;
  if (plan.lists) return plan.lists->are_rows ? 0 : plan.lists->keys;
  return plan.by.empty() ? plan.source_keys : plan.by.size();
}

std::vector<PlanLeaf> leaves_of(const Table& table, const Plan& plan) {
  std::vector<PlanLeaf> leaves;
  add_leaves(&table, plan, leaves);
  return leaves;
}

}  // namespace hdbench

#include "queries/expression/computed_fields.h"

#include <string>
#include <utility>

namespace hdbench::queries {

Result<std::size_t> bind_field(const Syntax& syntax, const BindScope& scope, Plan& plan) {
  if (const auto unreadable = unreadable_field(syntax, scope)) return *unreadable;
  HDB_ASSIGN(const auto column, bare_column(syntax, scope.table));
  if (column) return *column;
  TableLeaves leaves(scope.table);
  HDB_ASSIGN(Expression expression, bind_expression(syntax, scope, leaves));
  return add_computed(std::move(expression), scope.written(syntax), scope.table, plan);
}

std::size_t add_computed(Expression expression, std::string_view text, const Table& table,
                         Plan& plan) {
  const std::size_t fields = table.schema().fields.size();
  for (std::size_t i = 0; i < plan.computed.size(); ++i) {
    if (plan.computed[i].expression == expression) return fields + i;
  }
  plan.computed.push_back({std::string(text), std::move(expression)});
  return fields + plan.computed.size() - 1;
}

QType field_type(const Plan& plan, const Table& table, std::size_t field) {
  const std::vector<Field>& fields = table.schema().fields;
  if (field < fields.size()) return fields[field].type;
  return plan.computed[field - fields.size()].expression.type();
}

}  // namespace hdbench::queries

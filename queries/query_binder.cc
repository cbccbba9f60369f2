#include "queries/query_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/shaping/result_schema.h"
#include "queries/column_binder.h"
#include "queries/column_lookup.h"
#include "queries/condition_binder.h"
#include "queries/row_stages.h"
#include "queries/table_binder.h"
#include "queries/type_text.h"

namespace hdbench::queries {
namespace {

class QueryBinder {
 public:
  QueryBinder(const ParsedQuery& query, const BindTables& tables)
      : query_(query), tables_(tables) {}

  Result<PlanSide> run() {
    HDB_ASSIGN(base_, bind_base(query_.table, tables_));
    put_params();
    HDB_TRY(stage_rows(query_, base_, tables_));
    Plan plan;
    plan.source = base_.source;
    const BindScope scope{tables_.text, base_.table(), tables_.unreadable, &tables_};
    HDB_TRY(gives_lists(query_) ? bind_lists(query_, scope, plan)
            : query_.is_update  ? bind_update(query_, scope, plan)
                                : bind_columns(query_, scope, plan));
    for (const Syntax& syntax : query_.where) {
      HDB_ASSIGN(Condition condition, bind_condition(syntax, scope, plan));
      plan.where.push_back(std::move(condition));
    }
    const bool keeps_keys = query_.columns.empty() || query_.is_update;
    if (keeps_keys && query_.by.empty()) plan.source_keys = base_.keys;
    HDB_TRY(bind_shape(plan));
    return side_of(base_, std::move(plan));
  }

 private:
  // Names that are no columns and parameters become their values.
  void put_params() {
    if (tables_.params == nullptr || tables_.params->empty()) return;
    for (ParsedItem& item : query_.columns) put_params(item.expression);
    for (ParsedItem& item : query_.by) put_params(item.expression);
    for (Syntax& condition : query_.where) put_params(condition);
  }

  void put_params(Syntax& syntax) {
    for (Syntax& argument : syntax.arguments) put_params(argument);
    if (syntax.kind != SyntaxKind::kName || base_.table().schema().find(syntax.text)) return;
    const auto found = tables_.params->find(syntax.text);
    if (found == tables_.params->end()) return;
    syntax.kind = SyntaxKind::kLiteral;
    syntax.literal = found->second;
    syntax.literal.begin = syntax.begin;
    syntax.literal.end = syntax.end;
    for (Atom& atom : syntax.literal.atoms) atom.position = syntax.begin;
  }

  Status bind_shape(Plan& plan) {
    const bool has_rows = plan.by.empty() && !plan.aggregates();
    if (query_.distinct && !query_.by.empty())
      return text_error("distinct and by: groups are distinct already", *query_.distinct);
    plan.distinct = query_.distinct && has_rows;
    if (!query_.limit.position) return ok_status();
    if (!query_.by.empty()) {
      return text_error("select[...] of a query with by: write select[...] from select ... by ...",
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

  ParsedQuery query_;  // as its stages leave it
  const BindTables& tables_;
  RowBase base_;
};

}  // namespace

Result<PlanSide> bind_query(const ParsedQuery& query, const BindTables& tables) {
  return QueryBinder(query, tables).run();
}

}  // namespace hdbench::queries

#include "engine/testing/row_reference.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory_resource>
#include <utility>

#include "engine/base/check.h"
#include "engine/kernel/like.h"
#include "engine/shaping/result_schema.h"
#include "engine/testing/plain_aggregates.h"
#include "engine/testing/plain_cells.h"
#include "engine/testing/plain_stages.h"
#include "engine/testing/row_evaluator.h"

namespace hdbench {
namespace {

RowValue value_of(const Cell& cell) {
  RowValue value{cell.type, cell.integer, cell.number, cell.bytes};
  if (cell.type == QType::kNested) value.integer = static_cast<std::int64_t>(items_in(cell));
  return value;
}

Cell computed_cell(const Expression& expression, std::uint64_t row,
                   const std::function<Cell(std::size_t)>& field) {
  const RowValue value = evaluate_row(
      expression, [&](std::size_t f) { return value_of(field(f)); },
      static_cast<std::int64_t>(row));
  const bool is_text = value.type == QType::kSymbol || value.type == QType::kNested;
  return {value.type, value.integer, value.number, is_text ? value.text : element_of(value)};
}

QType type_of_field(const Schema& schema, const Plan& plan, std::size_t field) {
  const auto& fields = schema.fields;
  return field < fields.size() ? fields[field].type
                               : plan.computed[field - fields.size()].expression.type();
}

// Of a field of the rows or of one that the plan computes.
Cell cell_of(const CellRows& from, const Plan& plan, std::size_t part, std::size_t field,
             std::uint64_t row) {
  const std::size_t fields = from.schema().fields.size();
  if (field < fields) return from.cell(part, field, row);
  return computed_cell(plan.computed[field - fields].expression, row,
                       [&](std::size_t f) { return from.cell(part, f, row); });
}

bool passes_test(const Cell& cell, const Test& test) {
  if (const auto* range = std::get_if<RangeTest>(&test)) {
    return range->low <= key_of(cell) && key_of(cell) <= range->high;
  }
  if (const auto* set = std::get_if<SetTest>(&test)) {
    return std::find(set->keys.begin(), set->keys.end(), key_of(cell)) != set->keys.end();
  }
  if (const auto* codes = std::get_if<CodeTest>(&test)) {
    return codes->member[static_cast<std::size_t>(cell.integer)] != 0;
  }
  if (const auto* like_test = std::get_if<LikeTest>(&test))
    return like(cell.bytes, like_test->pattern);
  const auto& guids = std::get<GuidTest>(test).values;
  return std::any_of(guids.begin(), guids.end(), [&](const auto& guid) {
    return std::memcmp(guid.data(), cell.bytes.data(), 16) == 0;
  });
}

std::vector<Row> rows_that_pass(const CellRows& from, const Plan& plan) {
  std::vector<Row> rows;
  for (std::size_t part = 0; part < from.parts(); ++part) {
    for (std::uint64_t row = 0; row < from.rows(part); ++row) {
      const bool kept =
          std::all_of(plan.where.begin(), plan.where.end(), [&](const Condition& condition) {
            return passes_test(cell_of(from, plan, part, condition.field, row), condition.test) !=
                   condition.negated;
          });
      if (!kept) continue;
      Row cells;
      const std::size_t fields = from.schema().fields.size() + plan.computed.size();
      cells.reserve(fields);
      for (std::size_t f = 0; f < fields; ++f) cells.push_back(cell_of(from, plan, part, f, row));
      rows.push_back(std::move(cells));
    }
  }
  return rows;
}

Row group_row(const Schema& schema, const Plan& plan, const std::vector<Row>& members) {
  Row cells;
  // A key's bytes are those of the group's last row (0.0 and -0.0 are one key).
  for (const GroupKey& key : plan.by) cells.push_back(members.back()[key.field]);
  Row outputs;
  for (const Output& output : plan.outputs) {
    const QType type = output.field ? type_of_field(schema, plan, *output.field) : QType::kLong;
    outputs.push_back(aggregate_of_rows(output, type, members));
  }
  for (const ResultExpression& shown : plan.results) {
    cells.push_back(
        computed_cell(shown.expression, 0, [&](std::size_t output) { return outputs[output]; }));
  }
  if (plan.results.empty()) cells.insert(cells.end(), outputs.begin(), outputs.end());
  return cells;
}

// The plan's rows before they are ordered and taken, hidden columns included.
std::vector<Row> selected_rows(const CellRows& from, const Plan& plan) {
  std::vector<Row> rows = rows_that_pass(from, plan);
  std::vector<Row> selected;
  if (plan.by.empty() && !plan.aggregates()) {
    for (const Row& row : rows) {
      Row& shown = selected.emplace_back();
      for (const Output& output : plan.outputs) shown.push_back(row[*output.field]);
    }
    return plan.distinct ? distinct_rows(selected) : selected;
  }
  std::map<Row, std::vector<Row>, RowLess> groups;
  if (plan.by.empty()) groups[{}];
  for (Row& row : rows) {
    Row key;
    for (const GroupKey& group_key : plan.by) key.push_back(row[group_key.field]);
    groups[key].push_back(std::move(row));
  }
  for (const auto& [key, members] : groups)
    selected.push_back(group_row(from.schema(), plan, members));
  return selected;
}

// For the test that a plan makes of what another one gives.
ResultTable table_of(const std::vector<Row>& rows, const Schema& schema) {
  ResultTable table;
  table.rows = rows.size();
  const MadeRows made(rows, schema);
  for (std::size_t field = 0; field < schema.fields.size(); ++field) {
    const Field& shown = schema.fields[field];
    const std::size_t width = type_width(shown.type);
    ResultColumn& column = table.columns.emplace_back();
    column = {shown.name, shown.type, type_width(shown.type), {}, shown.domain};
    column.buffer = Buffer(*std::pmr::new_delete_resource(), rows.size() * width);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Cell cell = made.cell(0, field, row);
      std::byte* const to = column.buffer.data() + row * width;
      HDB_CHECK(shown.type != QType::kNested, "a condition compares no lists");
      if (shown.type == QType::kSymbol) {
        std::memcpy(to, &cell.integer, width);
      } else {
        std::memcpy(to, cell.bytes.data(), width);
      }
    }
  }
  return table;
}

std::vector<Row> rows_of_plan(const CellRows& from, const Plan& plan);

std::vector<Row> rows_of_side(const PlanSide& side) {
  if (side.table != nullptr) return rows_of_plan(TableRows(*side.table), *side.plan);
  return rows_of_plan(MadeRows({}, side.rows), *side.plan);  // the plan has a source of its own
}

std::vector<Row> rows_of_source(const PlanSource& source) {
  std::vector<Row> left = rows_of_side(source.left);
  if (source.kind == SourceKind::kRows) return left;
  if (source.kind == SourceKind::kItems) return item_rows_of(left, source.left.rows);
  if (source.kind == SourceKind::kWindows) {
    for (const Window& window : source.windows) add_window(window, left);
    return left;
  }
  if (!source.is_right_over_left) return joined_rows(source, left, rows_of_side(source.right));
  const MadeRows groups_of(left, source.left.rows);
  return joined_rows(source, left, rows_of_plan(groups_of, *source.right.plan));
}

Plan with_tests(const Plan& plan) {
  Plan settled = plan;
  for (const ConditionQuery& query : plan.condition_queries) {
    Result<Test> test = query.make_test(table_of(rows_of_side(query.query), query.query.rows));
    HDB_CHECK(test.ok(), "a reference is requested what runs");
    settled.where[query.condition].test = *test;
  }
  return settled;
}

// `from`: what a plan without a source of its own runs over.
std::vector<Row> rows_of_plan(const CellRows& from, const Plan& plan) {
  const Plan settled = with_tests(plan);
  std::vector<Row> rows =
      plan.source == nullptr
          ? selected_rows(from, settled)
          : selected_rows(MadeRows(rows_of_source(*plan.source), plan.source->schema), settled);
  if (plan.order) rows = rows_in_order(*plan.order, rows);
  Plan plain = plan;  // the rows before they are lists
  plain.lists.reset();
  plain.pivot = Plan::Pivot::kNone;
  const Schema schema =
      result_schema(plain, plan.source == nullptr ? from.schema() : plan.source->schema);
  for (Row& row : rows) row.resize(schema.fields.size());
  if (plan.take) rows = taken_rows_of(*plan.take, rows, schema);
  if (plan.lists) rows = listed_rows(*plan.lists, rows, schema);
  return rows;
}

std::vector<std::string> names_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const GroupKey& key : plan.by) names.push_back(key.name);
  if (plan.results.empty()) {
    const std::size_t shown =
        plan.lists ? plan.lists->columns.size() : plan.outputs.size() - plan.hidden;
    for (std::size_t output = 0; output < shown; ++output)
      names.push_back(plan.outputs[output].name);
  }
  for (const ResultExpression& shown : plan.results) names.push_back(shown.name);
  return names;
}

}  // namespace

PlainResult run_by_rows(const Table& table, const Plan& plan) {
  PlainResult result{names_of(plan), {}};
  for (const Row& row : rows_of_plan(TableRows(table), plan)) {
    std::vector<std::string>& shown = result.rows.emplace_back();
    for (const Cell& cell : row) shown.push_back(show(cell));
  }
  return result;
}

PlainResult to_plain(const ResultTable& result) {
  PlainResult plain;
  for (const ResultColumn& column : result.columns) plain.names.push_back(column.name);
  for (std::uint64_t row = 0; row < result.rows; ++row) {
    std::vector<std::string> shown;
    for (const ResultColumn& column : result.columns) {
      const std::byte* data = column.buffer.data() + row * column.width;
      shown.push_back(show(element_cell(column.type, column.width, column.domain.get(), data)));
    }
    plain.rows.push_back(std::move(shown));
  }
  return plain;
}

std::string first_difference(const PlainResult& found, const PlainResult& expected) {
  if (found.names != expected.names) return "the columns' names differ";
  for (std::size_t row = 0; row < std::min(found.rows.size(), expected.rows.size()); ++row) {
    for (std::size_t c = 0; c < found.names.size(); ++c) {
      if (found.rows[row][c] == expected.rows[row][c]) continue;
      return "row " + std::to_string(row) + " column " + found.names[c] + ": " +
             found.rows[row][c] + ", expected " + expected.rows[row][c];
    }
  }
  if (found.rows.size() == expected.rows.size()) return "";
  return std::to_string(found.rows.size()) + " rows, expected " +
         std::to_string(expected.rows.size());
}

}  // namespace hdbench

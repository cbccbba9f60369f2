#include "engine/exec/result_expressions.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/expression/evaluator.h"
#include "engine/kernel/order_keys.h"

namespace hdbench {
namespace {

// A block of a column as an expression reads it.
const std::byte* block_of(const ResultColumn& column, std::size_t start, std::size_t count,
                          std::vector<std::uint64_t>& room) {
  const std::byte* const elements = column.buffer.data() + start * column.width;
  if (column.type != QType::kSymbol || column.width == sizeof(std::uint64_t)) return elements;
  room.resize(count);
  to_words(column.width, elements, count, room.data());
  return reinterpret_cast<const std::byte*>(room.data());
}

void fill_column(const Expression& expression, std::span<const ResultColumn> outputs,
                 std::uint64_t rows, Workspace& workspace, ResultColumn& result) {
  Evaluator evaluator(
      expression, [&](std::size_t output) { return outputs[output].domain.get(); }, workspace);
  const std::vector<std::size_t> fields = fields_of(expression);
  std::vector<std::vector<std::uint64_t>> rooms(fields.size());
  std::vector<const std::byte*> elements(fields.size());
  for (std::size_t start = 0; start < rows; start += Evaluator::kBlockRows) {
    const std::size_t count = std::min<std::size_t>(Evaluator::kBlockRows, rows - start);
    for (std::size_t i = 0; i < fields.size(); ++i)
      elements[i] = block_of(outputs[fields[i]], start, count, rooms[i]);
    evaluator.evaluate({elements, nullptr, count}, result.buffer.data() + start * result.width);
  }
}

}  // namespace

ResultTable with_results(const Plan& plan, ResultTable table, Workspace& workspace,
                         AccessLog& accesses) {
  const std::size_t keys = plan.by.size();
  const std::span<const ResultColumn> outputs = std::span(table.columns).subspan(keys);
  std::vector<ResultColumn> made;
  for (const ResultExpression& shown : plan.results) {
    const ExpressionNode& value = shown.expression.nodes.back();
    const bool is_output = value.operation == Operation::kField;
    const auto symbols = domain_field(shown.expression);
    ResultColumn& column = made.emplace_back();
    column.name = shown.name;
    column.type = value.type;
    column.width = is_output ? outputs[value.field].width : type_width(value.type);
    column.buffer = Buffer(workspace, table.rows * column.width);
    if (symbols) column.domain = outputs[*symbols].domain;
    if (is_output) {
      column.wrapped = outputs[value.field].wrapped;
      if (table.rows != 0)
        std::memcpy(column.buffer.data(), outputs[value.field].buffer.data(),
                    column.buffer.bytes());
    } else {
      fill_column(shown.expression, outputs, table.rows, workspace, column);
    }
    accesses.write(column.buffer.data(), column.buffer.bytes());
  }
  table.columns.resize(keys);
  for (ResultColumn& column : made) table.columns.push_back(std::move(column));
  return table;
}

}  // namespace hdbench

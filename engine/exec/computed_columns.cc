#include "engine/exec/computed_columns.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/selection.h"
#include "engine/operator/gather.h"
#include "engine/operator/plan.h"

namespace hdbench {
namespace {

constexpr std::size_t kBlockRows = Evaluator::kBlockRows;
constexpr std::size_t kWidest = 16;
constexpr std::size_t kBlockBytes = kBlockRows * kWidest;
// Of fewer rows the inputs are packed, and the values spread.
constexpr std::size_t kPackedShare = 4;

const Expression& expression_of(const QueryInput& input, std::size_t field) {
  return input.plan.computed[field - input.first_computed()].expression;
}

Evaluator::DomainOf domains_of(const QueryInput& input) {
  return [&input](std::size_t field) { return input.schema().fields[field].domain.get(); };
}

// Packed values to their rows' places.
void spread(std::uint32_t width, const std::byte* values, const std::uint64_t* bits,
            std::size_t rows, std::byte* out) {
  std::uint16_t positions[kBlockRows];
  const std::size_t count = positions_of(bits, rows, positions);
  at_width(width, [&](auto bytes) {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(out + positions[i] * bytes, values + i * bytes, bytes);
  });
}

// Whether all that is made of a field is sums and extremes of its numbers, for which one null is
// like another.
bool only_numbers_count(const TablePlan& plan, std::size_t field) {
  const auto reads = [field](const auto& part) { return part.field == field; };
  if (std::any_of(plan.by.begin(), plan.by.end(), reads) ||
      std::any_of(plan.where.begin(), plan.where.end(), reads))
    return false;
  return std::all_of(plan.outputs.begin(), plan.outputs.end(), [field](const Output& output) {
    if (output.field != field && output.weights != field) return true;
    switch (output.aggregate) {
      case Aggregate::kSum:
      case Aggregate::kAvg:
      case Aggregate::kMin:
      case Aggregate::kMax:
      case Aggregate::kWavg:
      case Aggregate::kWsum: return true;
      default: return false;
    }
  });
}

// A block of a column as an expression reads it.
const std::byte* block_of(const ResultColumn& column, std::size_t start, std::size_t count,
                          std::vector<std::uint64_t>& block) {
  const std::byte* const elements = column.buffer.data() + start * column.width;
  if (column.type != QType::kSymbol || column.width == sizeof(std::uint64_t)) return elements;
  block.resize(count);
  to_words(column.width, elements, count, block.data());
  return reinterpret_cast<const std::byte*>(block.data());
}

void fill_column(const Expression& expression, std::span<const ResultColumn> outputs,
                 std::uint64_t rows, std::pmr::memory_resource& memory, ResultColumn& result) {
  Evaluator evaluator(
      expression, [&](std::size_t output) { return outputs[output].domain.get(); }, memory);
  const std::vector<std::size_t> fields = fields_of(expression);
  std::vector<std::vector<std::uint64_t>> blocks(fields.size());
  std::vector<const std::byte*> elements(fields.size());
  for (std::size_t start = 0; start < rows; start += Evaluator::kBlockRows) {
    const std::size_t count = std::min<std::size_t>(Evaluator::kBlockRows, rows - start);
    for (std::size_t i = 0; i < fields.size(); ++i)
      elements[i] = block_of(outputs[fields[i]], start, count, blocks[i]);
    evaluator.evaluate({elements, nullptr, count}, result.buffer.data() + start * result.width);
  }
}

}  // namespace

ComputedColumns::Computed::Computed(const QueryInput& input, std::size_t field,
                                    std::pmr::memory_resource& resource)
    : evaluator(expression_of(input, field), domains_of(input), resource),
      reads_rows(reads_row_numbers(expression_of(input, field))) {
  if (only_numbers_count(input.plan, field)) evaluator.leave_nulls();
  const Field& shown = input.schema().fields[field];
  column.type = shown.type;
  column.width = type_width(shown.type);
  column.domain = shown.domain;
  column.has_null_codes = true;
  column.source = shown.name;
  for (const std::size_t read : input.computed_inputs[field - input.first_computed()]) {
    const QType type = input.schema().fields[read].type;
    must_pack |= type == QType::kSymbol || type == QType::kNested;
  }
}

ComputedColumns::ComputedColumns(const QueryInput& input, std::pmr::memory_resource& resource)
    : input_(input), resource_(resource) {
  if (input.plan.computed.empty()) return;
  view_.first_computed = input.first_computed();
  std::size_t inputs_max = 0;
  computed_.reserve(input.plan.computed.size());
  for (std::size_t c = 0; c < input.plan.computed.size(); ++c) {
    computed_.emplace_back(input, input.first_computed() + c, resource);
    inputs_max = std::max(inputs_max, input.computed_inputs[c].size());
  }
  blocks_ = Buffer(resource, (inputs_max + 3) * kBlockBytes);
}

const PartitionView& ComputedColumns::view(std::size_t number) {
  if (computed_.empty()) return input_.views[number];
  if (view_number_ == number) return view_;
  view_number_ = number;
  view_ = input_.views[number];
  view_.first_computed = input_.first_computed();
  view_.computed = this;
  for (std::size_t c = 0; c < computed_.size(); ++c) {
    computed_[c].column.rows = view_.rows;
    view_.columns[view_.first_computed + c] = &computed_[c].column;
  }
  return view_;
}

Status ComputedColumns::make(std::size_t field, RowRange rows, const std::uint64_t* bits) {
  Computed& computed = computed_[field - view_.first_computed];
  const std::size_t width = computed.column.width;
  const auto row_count = static_cast<std::size_t>(rows.rows());
  if (computed.elements.bytes() < row_count * width) {
    computed.elements = Buffer();
    computed.elements = Buffer(resource_, row_count * width);
    // Rows that are not selected may be looked at.
    std::memset(computed.elements.data(), 0, computed.elements.bytes());
  }
  std::byte* const elements = computed.elements.data();
  // Row 0 of the part would lie before the buffer: no pointer may, but the address is right.
  computed.column.data = std::bit_cast<const std::byte*>(
      reinterpret_cast<std::uintptr_t>(elements) - rows.begin * width);
  std::byte* const values = blocks_.data() + blocks_.bytes() - kBlockBytes;
  // Of compressed columns only what is selected has been unpacked.
  const auto fields = inputs(field);
  const bool must_pack =
      computed.must_pack || std::any_of(fields.begin(), fields.end(), [&](std::size_t input) {
        return AccessLog::needs_unpacking(view_, input);
      });
  for (std::size_t start = 0; start < row_count; start += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, row_count - start);
    const RowRange block{rows.begin + start, rows.begin + start + count};
    const std::uint64_t* const block_bits = bits == nullptr ? nullptr : bits + start / kWordRows;
    const std::size_t selected = bits == nullptr ? count : count_bits(block_bits, words_for(count));
    if (selected == 0) continue;
    std::byte* const out = elements + start * width;
    if (selected == count || (!must_pack && selected * kPackedShare >= count)) {
      HDB_TRY(evaluate(computed, fields, block, nullptr, count, out));
      continue;
    }
    HDB_TRY(evaluate(computed, fields, block, block_bits, selected, values));
    spread(computed.column.width, values, block_bits, count, out);
  }
  return ok_status();
}

Result<const std::byte*> ComputedColumns::load(std::size_t field, RowRange rows,
                                               const std::uint64_t* bits, std::size_t count,
                                               std::byte* block) {
  const Schema& schema = input_.schema();
  const QType type = schema.fields[field].type;
  const std::uint32_t width = type_width(type);
  const Column* const column = view_.columns[field];
  const bool is_checked = type == QType::kSymbol || type == QType::kNested;
  if (bits == nullptr && column != nullptr && column->width == width && !is_checked)
    return column->data + rows.begin * width;
  if (type != QType::kSymbol || column->width == width) {
    HDB_TRY(gather_morsel(schema, view_, field, rows, bits, count, width, block));
    return static_cast<const std::byte*>(block);
  }
  std::byte* const codes = blocks_.data() + blocks_.bytes() - 3 * kBlockBytes;
  HDB_TRY(gather_morsel(schema, view_, field, rows, bits, count, column->width, codes));
  to_words(column->width, codes, count, reinterpret_cast<std::uint64_t*>(block));
  return static_cast<const std::byte*>(block);
}

Status ComputedColumns::evaluate(Computed& computed, std::span<const std::size_t> fields,
                                 RowRange rows, const std::uint64_t* bits, std::size_t count,
                                 std::byte* out) {
  std::vector<const std::byte*>& elements = computed.inputs;
  elements.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    HDB_ASSIGN(elements[i], load(fields[i], rows, bits, count, blocks_.data() + i * kBlockBytes));
  }
  auto* const numbers =
      reinterpret_cast<std::int64_t*>(blocks_.data() + blocks_.bytes() - 2 * kBlockBytes);
  if (computed.reads_rows && bits != nullptr)
    positions_of(bits, static_cast<std::size_t>(rows.rows()), numbers);
  for (std::size_t i = 0; computed.reads_rows && i < count; ++i)
    numbers[i] = static_cast<std::int64_t>(rows.begin) +
                 (bits == nullptr ? static_cast<std::int64_t>(i) : numbers[i]);
  computed.evaluator.evaluate({elements, numbers, count, bits == nullptr}, out);
  return ok_status();
}

Status gather_field_rows(const QueryInput& input, std::size_t field,
                         std::span<const std::uint64_t> row_ids, std::uint32_t width,
                         std::byte* out, std::pmr::memory_resource& resource) {
  if (field < input.first_computed())
    return gather_rows(input.schema(), input.views, field, row_ids, width, out);
  const auto& fields = input.computed_inputs[field - input.first_computed()];
  Evaluator evaluator(expression_of(input, field), domains_of(input), resource);
  Buffer blocks(resource, (fields.size() + 1) * kBlockBytes);
  auto* const numbers =
      reinterpret_cast<std::int64_t*>(blocks.data() + fields.size() * kBlockBytes);
  for (std::size_t start = 0; start < row_ids.size(); start += kBlockRows) {
    const auto ids = row_ids.subspan(start, std::min(kBlockRows, row_ids.size() - start));
    std::vector<const std::byte*> elements;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::byte* const block = blocks.data() + i * kBlockBytes;
      HDB_TRY(gather_rows(input.schema(), input.views, fields[i], ids,
                          type_width(input.schema().fields[fields[i]].type), block));
      elements.push_back(block);
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
      numbers[i] = static_cast<std::int64_t>(RowId::row(ids[i]));
    evaluator.evaluate({elements, numbers, ids.size()}, out + start * width);
  }
  return ok_status();
}

ResultTable with_results(const Plan& plan, ResultTable table, QueryContext& context) {
  const std::size_t keys = plan.by.size();
  // An aggregate of no rows at all has a domain of its own, of the null alone.
  for (const ResultExpression& shown : plan.results) {
    for (const ExpressionNode& node : shown.expression.nodes) {
      if (node.operation == Operation::kField && node.domain != nullptr)
        settle_domain(table.columns[keys + node.field], node.domain, table.rows, context.memory);
    }
  }
  const std::span<const ResultColumn> outputs = std::span(table.columns).subspan(keys);
  std::vector<ResultColumn> made;
  for (const ResultExpression& shown : plan.results) {
    const ExpressionNode& value = shown.expression.nodes.back();
    const bool is_output = value.operation == Operation::kField;
    ResultColumn& column = made.emplace_back();
    column.name = shown.name;
    column.type = value.type;
    column.width = is_output ? outputs[value.field].width : type_width(value.type);
    column.buffer = Buffer(context.memory, table.rows * column.width);
    column.domain = is_output ? outputs[value.field].domain : shown.expression.domain;
    if (is_output) {
      column.wrapped = outputs[value.field].wrapped;
      if (table.rows != 0)
        std::memcpy(column.buffer.data(), outputs[value.field].buffer.data(),
                    column.buffer.bytes());
    } else {
      fill_column(shown.expression, outputs, table.rows, context.memory, column);
    }
    context.accesses.write(column.buffer.data(), column.buffer.bytes());
  }
  table.columns.resize(keys);
  for (ResultColumn& column : made) table.columns.push_back(std::move(column));
  return table;
}

}  // namespace hdbench

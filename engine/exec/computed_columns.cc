#include "engine/exec/computed_columns.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/kernel/bits.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/selection.h"
#include "engine/operator/gather.h"
#include "engine/operator/plan.h"

namespace hdbench {
namespace {

constexpr std::size_t kBlockRows = Evaluator::kBlockRows;
constexpr std::size_t kWidest = 16;
constexpr std::size_t kRoomBytes = kBlockRows * kWidest;
// Of fewer rows the inputs are packed, and the values spread.
constexpr std::size_t kPackedShare = 4;

const Expression& expression_of(const QueryInput& input, std::size_t field) {
  return input.plan->computed[field - input.first_computed()].expression;
}

Evaluator::DomainOf domains_of(const QueryInput& input) {
  return [&input](std::size_t field) { return input.schema().fields[field].domain.get(); };
}

// Packed values to their rows' places.
template <std::size_t kWidth>
void spread(const std::byte* values, const std::uint64_t* bits, std::size_t rows, std::byte* out) {
  std::uint16_t positions[kBlockRows];
  const std::size_t count = positions_of(bits, rows, positions);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(out + positions[i] * kWidth, values + i * kWidth, kWidth);
}

void spread(std::uint32_t width, const std::byte* values, const std::uint64_t* bits,
            std::size_t rows, std::byte* out) {
  switch (width) {
    case 1: return spread<1>(values, bits, rows, out);
    case 2: return spread<2>(values, bits, rows, out);
    case 4: return spread<4>(values, bits, rows, out);
    case 8: return spread<8>(values, bits, rows, out);
    default: return spread<16>(values, bits, rows, out);
  }
}

// Whether all that is made of a field is sums and extremes of its numbers, for which one null is
// like another.
bool only_numbers_count(const Plan& plan, std::size_t field) {
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

}  // namespace

ComputedColumns::Computed::Computed(const QueryInput& input, std::size_t field,
                                    std::pmr::memory_resource& resource)
    : evaluator(expression_of(input, field), domains_of(input), resource),
      reads_rows(reads_row_numbers(expression_of(input, field))) {
  if (only_numbers_count(*input.plan, field)) evaluator.leave_nulls();
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
  if (input.plan->computed.empty()) return;
  view_.first_computed = input.first_computed();
  std::size_t inputs_max = 0;
  computed_.reserve(input.plan->computed.size());
  for (std::size_t c = 0; c < input.plan->computed.size(); ++c) {
    computed_.emplace_back(input, input.first_computed() + c, resource);
    inputs_max = std::max(inputs_max, input.computed_inputs[c].size());
  }
  rooms_ = Buffer(resource, (inputs_max + 3) * kRoomBytes);
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
  std::byte* const values = rooms_.data() + rooms_.bytes() - kRoomBytes;
  for (std::size_t start = 0; start < row_count; start += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, row_count - start);
    const RowRange block{rows.begin + start, rows.begin + start + count};
    const std::uint64_t* const block_bits = bits == nullptr ? nullptr : bits + start / kWordRows;
    const std::size_t selected = bits == nullptr ? count : count_bits(block_bits, words_for(count));
    if (selected == 0) continue;
    std::byte* const out = elements + start * width;
    if (selected == count || (!computed.must_pack && selected * kPackedShare >= count)) {
      HDB_TRY(evaluate(computed, inputs(field), block, nullptr, count, out));
      continue;
    }
    HDB_TRY(evaluate(computed, inputs(field), block, block_bits, selected, values));
    spread(computed.column.width, values, block_bits, count, out);
  }
  return ok_status();
}

Result<const std::byte*> ComputedColumns::load(std::size_t field, RowRange rows,
                                               const std::uint64_t* bits, std::size_t count,
                                               std::byte* room) {
  const Schema& schema = input_.schema();
  const QType type = schema.fields[field].type;
  const std::uint32_t width = type_width(type);
  const Column* const column = view_.columns[field];
  const bool is_checked = type == QType::kSymbol || type == QType::kNested;
  if (bits == nullptr && column != nullptr && column->width == width && !is_checked)
    return column->data + rows.begin * width;
  if (type != QType::kSymbol || column->width == width) {
    HDB_TRY(gather_morsel(schema, view_, field, rows, bits, count, width, room));
    return static_cast<const std::byte*>(room);
  }
  std::byte* const codes = rooms_.data() + rooms_.bytes() - 3 * kRoomBytes;
  HDB_TRY(gather_morsel(schema, view_, field, rows, bits, count, column->width, codes));
  to_words(column->width, codes, count, reinterpret_cast<std::uint64_t*>(room));
  return static_cast<const std::byte*>(room);
}

Status ComputedColumns::evaluate(Computed& computed, std::span<const std::size_t> fields,
                                 RowRange rows, const std::uint64_t* bits, std::size_t count,
                                 std::byte* out) {
  std::vector<const std::byte*>& elements = computed.inputs;
  elements.resize(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    HDB_ASSIGN(elements[i], load(fields[i], rows, bits, count, rooms_.data() + i * kRoomBytes));
  }
  auto* const numbers =
      reinterpret_cast<std::int64_t*>(rooms_.data() + rooms_.bytes() - 2 * kRoomBytes);
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
  Buffer rooms(resource, (fields.size() + 1) * kRoomBytes);
  auto* const numbers = reinterpret_cast<std::int64_t*>(rooms.data() + fields.size() * kRoomBytes);
  for (std::size_t start = 0; start < row_ids.size(); start += kBlockRows) {
    const auto ids = row_ids.subspan(start, std::min(kBlockRows, row_ids.size() - start));
    std::vector<const std::byte*> elements;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::byte* const room = rooms.data() + i * kRoomBytes;
      HDB_TRY(gather_rows(input.schema(), input.views, fields[i], ids,
                          type_width(input.schema().fields[fields[i]].type), room));
      elements.push_back(room);
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
      numbers[i] = static_cast<std::int64_t>(RowId::row(ids[i]));
    evaluator.evaluate({elements, numbers, ids.size()}, out + start * width);
  }
  return ok_status();
}

}  // namespace hdbench

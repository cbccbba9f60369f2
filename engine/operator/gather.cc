#include "engine/operator/gather.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/column/column_error.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compress.h"
#include "engine/kernel/scan.h"
#include "engine/storage/anymap.h"

namespace hdbench {
namespace {

// Calls row_step(row, position) for the selected rows of a morsel, in order.
template <typename Step>
Status each_selected(RowRange range, const std::uint64_t* bits, const Step& row_step) {
  std::size_t position = 0;
  for (std::uint64_t row = range.begin; row < range.end; ++row) {
    const std::uint64_t offset = row - range.begin;
    if (bits != nullptr && (bits[offset / kWordRows] >> (offset % kWordRows) & 1) == 0) continue;
    HDB_TRY(row_step(row, position));
    ++position;
  }
  return ok_status();
}

std::uint64_t code_at(const Column& column, std::uint64_t row) {
  std::uint64_t code = 0;
  std::memcpy(&code, column.data + row * column.width, column.width);
  return code;
}

void fill(std::int64_t value, std::size_t count, std::uint32_t width, std::byte* out) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * width, &value, width);
}

Status store_cell(const Column& column, std::uint64_t row, std::byte* out) {
  HDB_ASSIGN(const NestedCell cell, nested_cell(column, row));
  std::memcpy(out, &cell, sizeof(cell));
  return ok_status();
}

// The slow way to say which row is wrong, once one is known to be.
Status find_bad_code(const Column& column, RowRange range, const std::uint64_t* bits) {
  return each_selected(range, bits, [&](std::uint64_t row, std::size_t) -> Status {
    const std::uint64_t code = code_at(column, row);
    if (code < column.domain->size()) return ok_status();
    return code_outside_domain(column, row, static_cast<std::int64_t>(code));
  });
}

Status check_codes(const Column& column, RowRange range, const std::uint64_t* bits,
                   std::size_t count, std::uint32_t width, const std::byte* packed) {
  if (count == 0 || max_code(width, packed, count) < column.domain->size()) return ok_status();
  return find_bad_code(column, range, bits);
}

}  // namespace

std::uint32_t result_width(const Field& field, std::span<const Slice> slices, std::size_t index) {
  if (field.type != QType::kSymbol) return type_width(field.type);
  std::uint32_t width = 0;
  for (const Slice& slice : slices) {
    if (slice.columns[index] != nullptr) width = std::max(width, slice.columns[index]->width);
  }
  return width == 0 ? type_width(field.type) : width;
}

Status gather_morsel(const Schema& schema, const Slice& slice, std::size_t index, RowRange range,
                     const std::uint64_t* bits, std::size_t count, std::uint32_t width,
                     std::byte* out) {
  if (schema.partitioned && index == 0) {
    fill(slice.partition_value, count, width, out);
    return ok_status();
  }
  const Column& column = *slice.columns[index];
  if (column.type == QType::kNested) {
    return each_selected(range, bits, [&](std::uint64_t row, std::size_t position) {
      return store_cell(column, row, out + position * width);
    });
  }
  if (column.width != width) {  // codes narrower than the result's: partitions differ
    HDB_TRY(each_selected(range, bits, [&](std::uint64_t row, std::size_t position) -> Status {
      const std::uint64_t code = code_at(column, row);
      std::memcpy(out + position * width, &code, width);
      return ok_status();
    }));
  } else if (bits == nullptr) {
    std::memcpy(out, column.data + range.begin * width, count * width);
  } else {
    compress(width, column.data + range.begin * width, bits, static_cast<std::size_t>(range.rows()),
             out);
  }
  if (column.type != QType::kSymbol) return ok_status();
  return check_codes(column, range, bits, count, width, out);
}

Status gather_rows(const Schema& schema, std::span<const Slice> slices, std::size_t index,
                   std::span<const std::uint64_t> row_ids, std::uint32_t width, std::byte* out) {
  for (std::size_t i = 0; i < row_ids.size(); ++i) {
    const Slice& slice = slices[RowId::slice(row_ids[i])];
    const std::uint64_t row = RowId::row(row_ids[i]);
    HDB_TRY(
        gather_morsel(schema, slice, index, {row, row + 1}, nullptr, 1, width, out + i * width));
  }
  return ok_status();
}

}  // namespace hdbench

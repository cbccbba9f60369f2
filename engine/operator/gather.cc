#include "engine/operator/gather.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/base/check.h"
#include "engine/column/column_error.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/compact.h"
#include "engine/kernel/order_keys.h"
#include "engine/kernel/scan.h"
#include "engine/storage/anymap.h"

namespace hdbench {
namespace {

// What is copied from stays in the first-level cache.
constexpr std::size_t kFillStepBytes = 4096;
// So do elements made of offsets; whole words of 64 rows.
constexpr std::size_t kWidenedRows = 2048;

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

// The low `width` bytes (1, 2, 4 or 8) of a value, `count` times: a row by itself once, then copies
// of what is there, doubling.
void fill_with_value(std::int64_t value, std::size_t count, std::uint32_t width, std::byte* out) {
  if (count == 0) return;
  std::memcpy(out, &value, width);  // little-endian: the low bytes come first
  const std::size_t bytes = count * width;
  for (std::size_t done = width; done < bytes;) {
    const std::size_t step = std::min({done, bytes - done, kFillStepBytes});
    std::memcpy(out + done, out, step);
    done += step;
  }
}

template <typename Offset, typename Element>
void widen(const std::byte* offsets, std::size_t count, std::int64_t base, std::byte* elements) {
  const auto first = static_cast<Element>(base);
  for (std::size_t i = 0; i < count; ++i) {
    Offset offset;
    std::memcpy(&offset, offsets + i * sizeof(Offset), sizeof(Offset));
    const auto element = static_cast<Element>(first + offset);
    std::memcpy(elements + i * sizeof(Element), &element, sizeof(Element));
  }
}

// The elements that a narrowed partition field's offsets represent, `width` bytes each.
void widen_offsets(const Column& column, RowRange rows, std::uint32_t width, std::byte* elements) {
  HDB_CHECK(column.width < width && column.width <= 2 && width >= 4, "offsets of 1 or 2 bytes");
  const std::byte* offsets = column.data + rows.begin * column.width;
  const auto count = static_cast<std::size_t>(rows.rows());
  if (column.width == 1 && width == 4) {
    widen<std::uint8_t, std::uint32_t>(offsets, count, column.base, elements);
  } else if (column.width == 1) {
    widen<std::uint8_t, std::uint64_t>(offsets, count, column.base, elements);
  } else if (width == 4) {
    widen<std::uint16_t, std::uint32_t>(offsets, count, column.base, elements);
  } else {
    widen<std::uint16_t, std::uint64_t>(offsets, count, column.base, elements);
  }
}

// The selected ones of a morsel, packed.
void gather_offsets(const Column& column, RowRange range, const std::uint64_t* bits,
                    std::uint32_t width, std::byte* out, Stores stores) {
  alignas(64) std::byte elements[kWidenedRows * sizeof(std::uint64_t)];
  for (std::uint64_t begin = range.begin; begin < range.end; begin += kWidenedRows) {
    const RowRange rows{begin, std::min<std::uint64_t>(begin + kWidenedRows, range.end)};
    widen_offsets(column, rows, width, elements);
    const std::uint64_t* const piece_bits =
        bits == nullptr ? nullptr : bits + (begin - range.begin) / kWordRows;
    const CompactSource source{width, elements, static_cast<std::size_t>(rows.rows()), piece_bits};
    out += compact(source, out, stores).count * width;
  }
}

Status store_cell(const Column& column, std::uint64_t row, std::byte* out) {
  HDB_ASSIGN(const NestedCell cell, nested_cell(column, row));
  std::memcpy(out, &cell, sizeof(cell));
  return ok_status();
}

// `highest` of the `count` selected codes.
Status check_codes(const Column& column, RowRange range, const std::uint64_t* bits,
                   std::size_t count, std::uint64_t highest) {
  if (count == 0 || highest < column.code_bound()) return ok_status();
  const auto selected = [&](std::uint64_t row) {
    const std::uint64_t offset = row - range.begin;
    return bits == nullptr || (bits[offset / kWordRows] >> (offset % kWordRows) & 1) != 0;
  };
  return seen_code_outside_domain(column, range.begin, range.rows(), selected);
}

}  // namespace

std::uint32_t result_width(const Field& field, std::span<const PartitionView> views,
                           std::size_t index) {
  if (field.type != QType::kSymbol) return type_width(field.type);
  std::uint32_t width = 0;
  for (const PartitionView& view : views) {
    if (view.columns[index] != nullptr) width = std::max(width, view.columns[index]->width);
  }
  return width == 0 ? type_width(field.type) : width;
}

Status gather_morsel(const Schema& schema, const PartitionView& view, std::size_t index,
                     RowRange range, const std::uint64_t* bits, std::size_t count,
                     std::uint32_t width, std::byte* out, Stores stores) {
  if (schema.partitioned && index == 0) {
    fill_with_value(view.partition_value, count, width, out);
    return ok_status();
  }
  const Column& column = *view.columns[index];
  if (column.type == QType::kNested && column.width != width) {
    return each_selected(range, bits, [&](std::uint64_t row, std::size_t position) {
      return store_cell(column, row, out + position * width);
    });
  }
  if (column.width != width && column.type != QType::kSymbol) {
    gather_offsets(column, range, bits, width, out, stores);
    return ok_status();
  }
  if (column.width != width) {  // codes narrower than the result's: partitions differ
    HDB_TRY(each_selected(range, bits, [&](std::uint64_t row, std::size_t position) -> Status {
      const std::uint64_t code = code_at(column, row);
      std::memcpy(out + position * width, &code, std::min<std::size_t>(width, sizeof(code)));
      return ok_status();
    }));
    return check_codes(column, range, bits, count, max_code(width, out, count));
  }
  const CompactSource source{width, column.data + range.begin * width,
                             static_cast<std::size_t>(range.rows()), bits};
  const Compacted packed = compact(source, out, stores);
  HDB_DCHECK(packed.count == count, "the caller counted the selected rows");
  if (column.type != QType::kSymbol) return ok_status();
  return check_codes(column, range, bits, count, packed.highest);
}

bool is_viewable(const Column* column, std::uint32_t width) {
  return column != nullptr && column->width == width && column->type != QType::kNested &&
         !column->is_packed() && std::bit_cast<std::uintptr_t>(column->data) % width == 0;
}

Status check_elements(const Column& column, RowRange range) {
  if (column.type != QType::kSymbol) return ok_status();
  const auto count = static_cast<std::size_t>(range.rows());
  const std::byte* const codes = column.data + range.begin * column.width;
  return check_codes(column, range, nullptr, count, max_code(column.width, codes, count));
}

Status gather_rows(const Schema& schema, std::span<const PartitionView> views, std::size_t index,
                   std::span<const std::uint64_t> row_ids, std::uint32_t width, std::byte* out) {
  const bool is_virtual = schema.partitioned && index == 0;
  const bool has_codes = schema.fields[index].type == QType::kSymbol;
  for (std::size_t i = 0; i < row_ids.size(); ++i, out += width) {
    const PartitionView& view = views[RowId::view(row_ids[i])];
    if (is_virtual) {
      std::memcpy(out, &view.partition_value,
                  std::min<std::size_t>(width, sizeof(view.partition_value)));
      continue;
    }
    const Column& column = *view.columns[index];
    const std::uint64_t row = RowId::row(row_ids[i]);
    if (column.type == QType::kNested) {
      HDB_TRY(store_cell(column, row, out));
    } else if (has_codes) {
      const std::uint64_t code = code_at(column, row);
      if (code >= column.code_bound()) {
        return code_outside_domain(column, row, static_cast<std::int64_t>(code));
      }
      std::memcpy(out, &code, std::min<std::size_t>(width, sizeof(code)));
    } else if (column.width != width) {
      widen_offsets(column, {row, row + 1}, width, out);
    } else {
      std::memcpy(out, column.data + row * width, width);
    }
  }
  return ok_status();
}

Element null_element(QType type, const Domain* domain) {
  Element element{};
  if (type == QType::kSymbol) {
    const std::uint64_t code = domain->null_code();
    std::memcpy(element.data(), &code, sizeof(code));
  } else if (type == QType::kNested) {
    const NestedCell empty{nullptr, 0, static_cast<std::uint8_t>(QType::kChar), false, 0};
    std::memcpy(element.data(), &empty, sizeof(empty));
  } else if (type == QType::kChar) {
    element[0] = std::byte{' '};
  } else if (type != QType::kGuid) {
    from_order_key(type, type_width(type) > 1 ? kNullLong : 0, element.data());
  }
  return element;
}

}  // namespace hdbench

// Gather: selected rows of a column into a result, and what a result has where no row is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/kernel/compact.h"
#include "engine/operator/partition_view.h"

namespace hdbench {

// Bytes of an element of this field in a result: codes as stored (the wider where views differ),
// nested cells resolved.
std::uint32_t result_width(const Field& field, std::span<const PartitionView> views,
                           std::size_t index);

// Packs rows [range) of field `index`, those whose bit is set (all when bits is null), `count` in
// all, into `out` with elements of `width`. The virtual field repeats its value. Errors: kData for
// a code outside its domain or a broken cell.
Status gather_morsel(const Schema& schema, const PartitionView& view, std::size_t index,
                     RowRange range, const std::uint64_t* bits, std::size_t count,
                     std::uint32_t width, std::byte* out, Stores stores = Stores::kCached);

// Whether elements of this width lie in the column as a result has them, so that it can be viewed:
// aligned, neither packed nor to be resolved. Null, as the virtual field is: no.
bool is_viewable(const Column* column, std::uint32_t width);

// As gather_morsel() checks what it packs. Requires: is_viewable().
Status check_elements(const Column& column, RowRange range);

// Single rows by RowId, in the order given.
Status gather_rows(const Schema& schema, std::span<const PartitionView> views, std::size_t index,
                   std::span<const std::uint64_t> row_ids, std::uint32_t width, std::byte* out);

// Calls move(width) with the width as a constant, so that loops over elements know it. Requires: 1,
// 2, 4, 8 or 16 bytes.
template <typename Move>
void at_width(std::uint32_t width, const Move& move) {
  switch (width) {
    case 1: return move(std::integral_constant<std::size_t, 1>());
    case 2: return move(std::integral_constant<std::size_t, 2>());
    case 4: return move(std::integral_constant<std::size_t, 4>());
    case 8: return move(std::integral_constant<std::size_t, 8>());
    default: return move(std::integral_constant<std::size_t, 16>());
  }
}

// An element of a result.
using Element = std::array<std::byte, 16>;

// The null of a type. Symbols as codes of 8 bytes; lists as an empty string; of types without a
// null a zero. Requires: a domain for symbols.
Element null_element(QType type, const Domain* domain);

}  // namespace hdbench

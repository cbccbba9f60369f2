// Gather: selected rows of a column into a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// Single rows by RowId, in the order given.
Status gather_rows(const Schema& schema, std::span<const PartitionView> views, std::size_t index,
                   std::span<const std::uint64_t> row_ids, std::uint32_t width, std::byte* out);

}  // namespace hdbench

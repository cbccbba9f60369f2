// Elements that all have one value: the nulls of a column that a part lacks, the partition field of
// a joined table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/column.h"

namespace hdbench {

// Writes `count` copies of `element`. Requires: the destination lies in a region of the store and
// has space for them.
void fill_elements(Store& store, std::byte* destination, std::span<const std::byte> element,
                   std::uint64_t count);

// The null of a column of the type and domain of `like`, in its first bytes: as many as an element
// of `make_null_column` has.
std::array<std::byte, 16> null_element(const Column& like);

// A column of `rows` nulls in a region of `store`, allocated for the file `path`: of the type,
// width and domain of `like` (nested: cells that are empty strings; symbols: wider where the null
// code is). Types without a null have zeros. Errors: the store's.
Result<Column> make_null_column(const Column& like, std::uint64_t rows, Store& store,
                                const std::filesystem::path& path);

}  // namespace hdbench

// Reads and writes the p# index that follows a parted vector (docs/hdb-format.md, "The index
// of a parted column").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

// The index of a column: `column.index` where it was made in memory, else column.index_bytes
// decoded and checked (keys within the domain, offsets rising from 0 to rows, sizes as the format
// says). Null where the column has no index that this program can use (no attribute, or an index
// over a plain vector). A null among the keys is the domain's null code where the column has nulls,
// else a code outside the domain, whose error's subject is the column. Errors: kData, naming file,
// offset.
Result<std::shared_ptr<const PartedIndex>> parted_index(const Column& column);

// The same of a column in whose copy nulls have the domain's null code, which several keys may then
// have: those beyond the domain too where `outside_is_null`. Their ranges become one where they
// touch. Null also where they do not: the copy is not parted.
Result<std::shared_ptr<const PartedIndex>> parted_index_of_copy(const Column& column,
                                                                bool outside_is_null);

// Whether parted_index() gives one: a parted column of symbols, or one made in memory. A p# on
// another type is legal in kdb+, but its index's format is not known here: such a column is
// scanned.
bool has_parted_index(const Column& column);

// Which of kdb+'s two forms an index has behind codes of this width: 4, or 8 (1 and 2 too, which
// kdb+ does not know).
constexpr std::uint32_t index_code_width(std::uint32_t width) { return width == 4 ? 4 : 8; }

// The index's bytes as kdb+ writes them behind an enumeration of `code_width` (4 or 8) bytes whose
// vector ends at `vector_bytes` past the data offset (4-byte codes are padded to 8 first; the
// padding is part of what is returned). Unused value slots and padding are zero.
std::vector<std::byte> encode_parted_index(const PartedIndex& index, std::uint32_t code_width,
                                           std::uint64_t vector_bytes);

}  // namespace hdbench

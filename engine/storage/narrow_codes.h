// Narrow codes: symbols loaded at the width that their domain needs, where kdb+ stores 8 (or 4)
// bytes, and the flat layout's partition field (a date of 4 bytes, stored in no file) as offsets
// from its least value.
//
// A domain of up to 256 symbols needs 1 byte a code, of up to 65536 two, any other four. Codes
// remain positions in the same domain, so results do not change, only the bytes that a query reads.
// Loading fails on a code outside its domain, which could not be represented.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/column.h"

namespace hdbench {

// How symbols and a flat table's partition field are loaded: as the files have them, or narrowed.
enum class Codes : std::uint8_t { kStored, kNarrow };

// Bytes of a code into a domain of that many symbols: 1, 2 or 4, never more than `stored_width`.
std::uint32_t narrow_width(std::size_t symbols, std::uint32_t stored_width);

// Bytes of an offset from 0 to `range`, the greatest: 1 or 2, where its highest bit stays clear (a
// scan of 2 bytes takes it for a sign); else, or where they are no fewer, `stored_width`.
std::uint32_t narrow_offset_width(std::uint64_t range, std::uint32_t stored_width);

// Copies the codes of a symbol column, `width` bytes each, to `destination`, in a region of
// `store`. Requires: width is narrow_width() of the column's domain, and below its own. Errors:
// kData: a code that the domain does not have, as code_outside_domain() says it.
Status copy_narrow_codes(const Column& column, std::uint32_t width, Store& store,
                         std::byte* destination);

// A symbol column narrowed into one region of `store`: its codes, and behind them its p# index
// where it has one, so that index and codes are in the same medium and in the same cache state as
// they are when mapped. Needs nothing of `column` any more, and is as long as it. Requires: a width
// above narrow_width(). Errors: copy_narrow_codes()'s and parted_index()'s; the store's.
Result<Column> narrow_column(const Column& column, Store& store);

}  // namespace hdbench

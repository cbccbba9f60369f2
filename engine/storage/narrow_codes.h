// Copies of symbol columns: narrow codes, and codes among which nulls are symbols.
//
// Narrow codes are loaded at the width that their domain needs, where kdb+ stores 8 (or 4) bytes; a
// domain of up to 256 symbols needs 1 byte a code, of up to 65536 two, any other four. The flat
// layout's partition field (a date of 4 bytes, stored in no file) is loaded as offsets from its
// least value. Codes remain positions in the same domain, so results do not change, only the bytes
// that a query reads.
//
// A null index is the least integer of its width in a file. In a copy it is the domain's null code
// (domain.h), so that it needs no care of any query. An index outside the domain is an error, or
// read as a null and counted (OutsideCodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/column.h"

namespace hdbench {

// How symbols and a flat table's partition field are loaded: as the files have them, or narrowed.
enum class Codes : std::uint8_t { kStored, kNarrow };

// The indices outside their domains that were read as nulls, as kdb+ reads them. Thread-safe.
class OutsideCodes {
 public:
  // `count` of them in a file, of which `message` tells the first. A file that is read again counts
  // once.
  void add(const std::string& file, std::uint64_t count, const std::string& message);
  // How many there were, and the first one of the first file by name; "" where there was none.
  std::string line() const;

 private:
  struct InFile {
    std::uint64_t count = 0;
    std::string message;
  };
  mutable std::mutex mutex_;
  std::map<std::string, InFile> files_;
};

// Bytes of a code into a domain of that many symbols: 1, 2 or 4, never more than `stored_width`.
std::uint32_t narrow_width(std::size_t symbols, std::uint32_t stored_width);

// Bytes of an offset from 0 to `range`, the greatest: 1 or 2, where its highest bit stays clear (a
// scan of 2 bytes takes it for a sign); else, or where they are no fewer, `stored_width`.
std::uint32_t narrow_offset_width(std::uint64_t range, std::uint32_t stored_width);

// What a copy of codes has met. Nulls that do not fit into its width have made the copy useless.
enum class CopiedNulls : std::uint8_t { kNone, kSome, kTooWide };

// Copies the codes of a symbol column, `width` bytes each (1, 2, 4 or 8; enough for the stored
// symbols), to `destination`, in a region of `store`. Errors: kData: a code that the domain does
// not have, as code_outside_domain() says it; none where `outside` is given.
Result<CopiedNulls> copy_codes(const Column& column, std::uint32_t width, Store& store,
                               std::byte* destination, OutsideCodes* outside);

// A symbol column narrowed into one region of `store`: its codes, and behind them its p# index
// where it has one, so that index and codes are in the same medium and in the same cache state as
// they are when mapped. Needs nothing of `column` any more, and is as long as it. As wide as the
// stored symbols need, or, where nulls need more, they too. Errors: copy_codes()'s and
// parted_index()'s; the store's. Requires: a width above narrow_width() of the stored symbols.
Result<Column> narrow_column(const Column& column, Store& store, OutsideCodes* outside = nullptr);

// Whether all codes are the stored symbols'. Requires: a column of symbols.
bool has_only_stored_symbols(const Column& column);

// The column itself where it has_only_stored_symbols(), else a copy in `store`, as wide, in
// which nulls have the null code. Errors: as narrow_column()'s.
Result<Column> mended_column(Column column, Store& store, OutsideCodes* outside = nullptr);

}  // namespace hdbench

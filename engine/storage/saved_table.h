// A table that kdb+ saved as one file at the root (docs/hdb-format.md, "Saved objects").
//
// The whole file is read when the table is requested. Columns lie in regions of the store, as those
// that are mapped do; symbols become codes over a domain that is made of a column's own texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/table.h"
#include "engine/storage/narrow_codes.h"

namespace hdbench {

struct SavedTable {
  std::shared_ptr<Table> table;  // key columns first
  std::size_t keys = 0;          // how many of them; 0: no keyed table
  // Bytes of its file that the object does not have, at its end.
  std::uint64_t bytes_behind = 0;
};

// Errors: kData: no table, a broken object, columns of different length or of one name, with file
// and byte.
Result<SavedTable> read_saved_table(const std::filesystem::path& path, std::string name,
                                    Store& store, Codes codes);

}  // namespace hdbench

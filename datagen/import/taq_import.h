// Makes a database of Daily TAQ files: trades and quotes, a partition a day, parted by symbol.
//
// The types are those of `gen --profile taq`, but for taq_table()'s exceptions. Each day has both
// tables, one without rows where no file has any. Symbols are enumerated into DB/sym in the order
// of first appearance, days ascending, trades before quotes, files as they were given. Rows are
// ordered by the text of the symbol, then by time, then as they came.
//
// One table of one day is held in memory at a time: RowStore::row_bytes() a row and four bytes for
// its place. Everything is written in DB.partial, which becomes DB when it is whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datagen/import/taq_file.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

struct ImportProgress {
  std::uint64_t bytes_done = 0;  // of the files as stored
  std::uint64_t bytes = 0;
  std::string_view what;  // "quote of 2019.10.07"
};

struct ImportOptions : TaqReadOptions {
  // Of all files, whatever their names and END lines say.
  std::optional<std::int32_t> date{};
  std::function<void(const ImportProgress&)> progress{};
};

struct ImportReport {
  std::vector<TaqFileReport> files;  // in the order of reading
  std::size_t partitions = 0;
  std::array<std::uint64_t, kTaqTables> rows = {};  // by table
  std::uint64_t written_bytes = 0;                  // of column files

  std::uint64_t text_bytes() const;  // read, decompressed
};

// Errors: kUsage: no file, a file twice, one whose date is not known or contradicted, a database
// that exists or would lie in another; kData: read_taq_file()'s, errors of the filesystem, stopped;
// kLimit: no memory. After an error nothing is left.
Result<ImportReport> import_taq(const std::filesystem::path& db,
                                const std::vector<std::filesystem::path>& files,
                                const ImportOptions& options = {});

// Days since 2000.01.01 of "YYYY.MM.DD". Errors: kUsage.
Result<std::int32_t> parse_import_date(std::string_view text);

}  // namespace hdbench::datagen

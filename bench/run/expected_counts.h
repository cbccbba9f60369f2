// Compares the row counts of the paper's queries with the manifest of a generated database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/model/cell_result.h"
#include "datagen/manifest.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Rows by query id.
using RowCounts = std::map<int, std::uint64_t>;

// "/data/db.manifest.json" for "/data/db" and "/data/db/".
std::filesystem::path manifest_path(const std::filesystem::path& database);

// What the manifest says of the queries of paper.q or paper-counted.q; empty for any other file and
// for a database that is not complete.
// Says on standard error when the manifest beside a database states that its generation did not
// end.
void warn_if_incomplete(const std::filesystem::path& database);

RowCounts counts_of(const datagen::Manifest& manifest, const std::filesystem::path& query_file);

// The expected counts of a database; empty if it has no manifest. Errors: read_manifest()'s.
Result<RowCounts> expected_counts(const std::filesystem::path& database,
                                  const std::filesystem::path& query_file);

struct CountCheck {
  std::size_t checked = 0;  // queries with an expected count and a cell that returned rows
  std::size_t as_expected = 0;
  std::vector<std::string>
      differences;  // "Q07: 9 rows, but 8 are expected", in the order of the cells
};

CountCheck check_counts(const RowCounts& expected, const std::vector<CellResult>& cells);

}  // namespace hdbench::bench

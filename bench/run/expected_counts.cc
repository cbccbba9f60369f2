#include "bench/run/expected_counts.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "bench/base/report_error.h"

namespace hdbench::bench {

std::filesystem::path manifest_path(const std::filesystem::path& database) {
  std::error_code error;
  std::filesystem::path whole = std::filesystem::absolute(database, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.string() + ".manifest.json";
}

RowCounts counts_of(const datagen::Manifest& manifest, const std::filesystem::path& query_file) {
  RowCounts counts;
  if (!manifest.complete()) return counts;
  const std::filesystem::path name = query_file.filename();
  for (const datagen::QueryCount& query : manifest.queries) {
    if (name == "paper.q") counts[query.id] = query.as_printed;
    if (name == "paper-counted.q") counts[query.id] = query.as_counted;
  }
  return counts;
}

Result<RowCounts> expected_counts(const std::filesystem::path& database,
                                  const std::filesystem::path& query_file) {
  const std::filesystem::path path = manifest_path(database);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return RowCounts{};
  HDB_ASSIGN(const datagen::Manifest manifest, datagen::read_manifest(path));
  return counts_of(manifest, query_file);
}

void warn_if_incomplete(const std::filesystem::path& database) {
  const std::filesystem::path path = manifest_path(database);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return;
  const auto manifest = datagen::read_manifest(path);
  if (!manifest.ok() || manifest->complete()) return;
  tell(
      fmt::format("hdbench: note: {} says that this database is not complete: gen --resume goes on",
                  path.string()));
}

CountCheck check_counts(const RowCounts& expected, const std::vector<CellResult>& cells) {
  CountCheck check;
  std::set<int> seen;
  for (const CellResult& cell : cells) {
    const auto wanted = expected.find(cell.query);
    if (wanted == expected.end() || !cell.rows_out || !seen.insert(cell.query).second) continue;
    ++check.checked;
    if (*cell.rows_out == wanted->second) {
      ++check.as_expected;
    } else {
      check.differences.push_back(fmt::format("{}: {} rows, but {} are expected",
                                              query_label(cell.query), *cell.rows_out,
                                              wanted->second));
    }
  }
  return check;
}

}  // namespace hdbench::bench

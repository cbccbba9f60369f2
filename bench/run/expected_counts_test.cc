#include "bench/run/expected_counts.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

datagen::Manifest complete_manifest() {
  datagen::Manifest manifest = datagen::new_manifest({});
  for (auto& partition : manifest.partitions) partition.sum = datagen::FileSum{};
  return manifest;
}

CellResult cell_with_rows(int query, std::optional<std::uint64_t> rows) {
  CellResult cell;
  cell.query = query;
  cell.rows_out = rows;
  return cell;
}

TEST_CASE("the manifest lies beside the database, however its path is written") {
  CHECK(manifest_path("/data/db") == "/data/db.manifest.json");
  CHECK(manifest_path("/data/db/") == "/data/db.manifest.json");
  CHECK(manifest_path("/data/x/../db/.") == "/data/db.manifest.json");
}

TEST_CASE("the paper's files expect the published counts, other files nothing") {
  const datagen::Manifest manifest = complete_manifest();
  const RowCounts counted = counts_of(manifest, "/share/paper-counted.q");
  CHECK(counted.size() == 11);
  CHECK(counted.at(7) == 8);
  CHECK(counted.at(11) == 189941620);
  CHECK(counts_of(manifest, "paper.q").at(4) == 3064072);
  CHECK(counts_of(manifest, "mine.q").empty());
  CHECK(counts_of(datagen::new_manifest({}), "paper.q").empty());
}

TEST_CASE("each query is checked once, and one that a limit stopped is not checked") {
  const RowCounts expected{{1, 2}, {2, 4}, {3, 4}};
  const CountCheck check =
      check_counts(expected, {cell_with_rows(1, 2), cell_with_rows(1, 2), cell_with_rows(2, 5),
                              cell_with_rows(3, {}), cell_with_rows(9, 1)});
  CHECK(check.checked == 2);
  CHECK(check.as_expected == 1);
  CHECK(check.differences == std::vector<std::string>{"Q02: 5 rows, but 4 are expected"});
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/storage/filesystems/filesystem_names.h"

#include "engine/base/catch.h"

namespace hdbench {

TEST_CASE("no comparison, no filesystem") {
  CHECK(joined({}).results.empty());
  CHECK(filesystems_of({}).empty());
  IoRun run;
  run.results.resize(1);
  run.results[0].name = "io/set/processes:1";
  CHECK(filesystems_of(run).empty());
  CHECK(plain_results(run).size() == 1);
}

TEST_CASE("a comparison comes back from a run's results, in its order") {
  IoResult result;
  result.name = "io/set/processes:1";
  result.samples = {1, 2};
  FilesystemComparison comparison;
  comparison.figures = {{"xfs", {result}}, {"btrfs", {result}}};
  comparison.left_out = {"ext4: mkfs.ext4 is not installed"};
  const IoRun run = joined(comparison);
  REQUIRE(run.results.size() == 2);
  CHECK(run.results[1].name == "io/set/processes:1/filesystem:btrfs");
  CHECK(run.left_out == comparison.left_out);
  CHECK(plain_results(run).empty());
  const auto figures = filesystems_of(run);
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].filesystem == "xfs");
  CHECK(figures[1].results[0].name == result.name);
  CHECK(figures[1].results[0].samples == result.samples);
}

}  // namespace hdbench

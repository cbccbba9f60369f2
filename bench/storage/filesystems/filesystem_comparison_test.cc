#include "bench/storage/filesystems/filesystem_comparison.h"

#include "bench/storage/io_tests.h"
#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("each round begins with another filesystem") {
  CHECK(visiting_order(0, 0).empty());
  CHECK(visiting_order(3, 0) == std::vector<std::size_t>{0, 1, 2});
  CHECK(visiting_order(3, 1) == std::vector<std::size_t>{1, 2, 0});
  CHECK(visiting_order(3, 5) == std::vector<std::size_t>{2, 0, 1});
}

TEST_CASE("an image holds what the tests write, and what every mkfs takes") {
  ComparisonOptions options;
  options.kinds = filesystem_kinds();
  options.io.bytes = std::uint64_t{512} << 20;
  CHECK(image_size(options).bytes >= kIoDiskTimes * 512 << 20);
  options.io.quick = true;
  CHECK(image_size(options).bytes < std::uint64_t{3} << 30);
  CHECK(image_size(options).bytes >= options.kinds.front().bytes_min);
}

TEST_CASE("an image seems larger than it is only to a filesystem that reserves by its size") {
  ComparisonOptions options;
  options.io.bytes = std::uint64_t{512} << 20;
  const auto plain = parse_filesystems("xfs,ext4");
  REQUIRE(plain.ok());
  options.kinds = *plain;
  CHECK(image_size(options).seeming_bytes == image_size(options).bytes);
  const auto reserving = parse_filesystems("btrfs");
  REQUIRE(reserving.ok());
  options.kinds = *reserving;
  const ImageSize size = image_size(options);
  CHECK(size.seeming_bytes == size.bytes + 1024 * 8 * vectors_of(options.io.bytes).large);
}

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

}  // namespace hdbench::bench

#include "bench/storage/filesystems/filesystem_comparison.h"
#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

struct Shape {
  std::string test;
  std::string group = "write";
  std::string unit = "MB/s";
  std::string cache = "none";
  std::size_t processes = 1;
};

IoResult result_of(const Shape& shape, std::vector<double> samples) {
  IoResult result;
  result.name = "io/" + shape.test + "/processes:" + std::to_string(shape.processes);
  result.test = shape.test;
  result.group = shape.group;
  result.unit = shape.unit;
  result.cache = shape.cache;
  result.processes = shape.processes;
  result.samples = std::move(samples);
  return result;
}

}  // namespace

TEST_CASE("ratios are of speed; means are of a group and a number of processes, with the largest") {
  const std::vector<FilesystemFigures> figures{
      {"xfs",
       {result_of({"a"}, {200}), result_of({"b", "write", "ms"}, {0.01}),
        result_of({"c", "read", "MB/s", "cold"}, {50}),
        result_of({"c", "read", "MB/s", "warm"}, {50}),
        result_of({"a", "write", "MB/s", "none", 4}, {300})}},
      {"ext4",
       {result_of({"a"}, {100}), result_of({"b", "write", "ms"}, {0.08}),
        result_of({"c", "read", "MB/s", "cold"}, {100}),
        result_of({"a", "write", "MB/s", "none", 4}, {100})}}};
  const FilesystemTable table = filesystem_table(figures);
  CHECK(table.rows[0].test == "a");
  CHECK(table.rows[0].ratios[0]->value == Approx(2));
  CHECK(table.rows[1].ratios[0]->value == Approx(8));
  REQUIRE(table.means.size() == 3);
  CHECK(table.means[0].group == "write");
  CHECK(table.means[0].tests == 2);
  CHECK(*table.means[0].geometric_means[0] == Approx(4));
  CHECK(*table.means[0].maxima[0] == Approx(8));
  CHECK(table.means[0].maximum_tests[0] == "b");
  CHECK(table.means[1].group == "read cold");
  CHECK(*table.means[1].geometric_means[0] == Approx(0.5));
  CHECK(table.means[2].processes == 4);
}

TEST_CASE("what a side lacks has no ratio, counts in no mean and says why") {
  IoResult failed = result_of({"b"}, {});
  failed.error = "no space";
  IoResult above = result_of({"c"}, {99999});
  above.above_ceiling = true;
  above.ceiling = "device read";
  const std::vector<FilesystemFigures> figures{
      {"xfs", {result_of({"a"}, {200}), result_of({"b"}, {1}), result_of({"c"}, {1})}},
      {"ext4", {failed, above}}};
  const FilesystemTable table = filesystem_table(figures);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].notes == std::vector<std::string>{"ext4: not run"});
  CHECK(table.rows[1].notes == std::vector<std::string>{"ext4: no space"});
  CHECK(table.rows[2].notes == std::vector<std::string>{"ext4: above the device read ceiling"});
  REQUIRE(table.means.size() == 1);
  CHECK(table.means[0].tests == 0);
  CHECK(!table.means[0].geometric_means[0]);
  CHECK(testing::contains(filesystem_text(table), "ext4: no space"));
}

TEST_CASE("rounds gather samples by name") {
  FilesystemFigures figures{"xfs", {}};
  add_round(figures, {result_of({"a"}, {1})});
  add_round(figures, {result_of({"a"}, {3}), result_of({"b"}, {5})});
  REQUIRE(figures.results.size() == 2);
  CHECK(figures.results[0].samples == std::vector<double>{1, 3});
  CHECK(figures.results[0].median == Approx(2));
}

TEST_CASE("the text has a head a group, the filesystems in order, and the means at the end") {
  const std::vector<FilesystemFigures> figures{{"xfs", {result_of({"set"}, {200, 210, 190})}},
                                               {"ext4", {result_of({"set"}, {100, 101, 99})}},
                                               {"btrfs", {result_of({"set"}, {180, 205, 215})}}};
  const std::string text = filesystem_text(filesystem_table(figures));
  CHECK(testing::contains(text, "write, 1 process"));
  CHECK(testing::contains(text, "xfs/ext4  xfs/btrfs"));
  CHECK(testing::contains(text, "200.0  100.0  205.0      2.00      ~0.98"));
  CHECK(testing::contains(text, "how many times as fast xfs is"));
  CHECK(testing::contains(text, "not distinguished"));
}

}  // namespace hdbench::bench

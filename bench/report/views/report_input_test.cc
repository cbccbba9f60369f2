#include "bench/report/views/report_input.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::vector<SavedRun> two(SavedRun first, SavedRun second) {
  std::vector<SavedRun> runs;
  runs.push_back(std::move(first));
  runs.push_back(std::move(second));
  return runs;
}

TEST_CASE("runs without a cell are nothing to report") {
  const auto input = merge_runs(two(sample_run({}, "a.json"), sample_run({}, "b.json")));
  REQUIRE_FALSE(input.ok());
  CHECK(input.error().kind == ErrorKind::kData);
  CHECK(input.error().message == "a.json, b.json: no cells: nothing to report");
}

TEST_CASE("the same query over the same rows must have one checksum in all files") {
  CellResult other = sample_cell(1, "dram", 5);
  other.checksum = 0xdef;
  const auto input = merge_runs(
      two(sample_run({sample_cell(1, "nvme", 100)}, "a.json"), sample_run({other}, "b.json")));
  REQUIRE(input.ok());
  REQUIRE(input->conflicts.size() == 1);
  CHECK(input->conflicts.front().find("Q01 over db: checksum 0000000000000def in b.json") == 0);
  CHECK(input->conflicts.front().find("0000000000000abc in a.json") != std::string::npos);
}

TEST_CASE("other rows are another dataset, whose checksums are its own") {
  SavedRun larger = sample_run({sample_cell(1, "nvme", 100)}, "b.json");
  larger.context.datasets.front().table_rows.front().second = 2000;
  larger.cells.front().checksum = 0xdef;
  const auto input = merge_runs(two(sample_run({sample_cell(1, "nvme", 100)}), std::move(larger)));
  REQUIRE(input.ok());
  CHECK(input->datasets.size() == 2);
  CHECK(input->conflicts.empty());
  REQUIRE(input->notes.size() == 1);
  CHECK(input->notes.front().starts_with("The cells are of several runs"));
}

TEST_CASE("a cell that was run twice on one machine is shown once, as in the last file") {
  const auto input = merge_runs(two(sample_run({sample_cell(1, "nvme", 100)}, "a.json"),
                                    sample_run({sample_cell(1, "nvme", 50)}, "b.json")));
  REQUIRE(input.ok());
  REQUIRE(input->cells.size() == 1);
  CHECK(input->cells.front().result.real_ms.front() == 50);
  CHECK(input->cells.front().run == 1);
  CHECK(input->notes.front() == "1 cell is in more than one file: the last file's is shown.");
}

TEST_CASE("another machine's cell is beside it") {
  SavedRun other = sample_run({sample_cell(1, "nvme", 50)}, "b.json");
  other.context.host.cpu_model = "another CPU";
  const auto input = merge_runs(two(sample_run({sample_cell(1, "nvme", 100)}), std::move(other)));
  REQUIRE(input.ok());
  CHECK(input->machines.size() == 2);
  CHECK(input->cells.size() == 2);
}

TEST_CASE("another kernel makes another machine, and is in its name") {
  SavedRun other = sample_run({sample_cell(1, "nvme", 50)}, "b.json");
  other.context.host.kernel = "Linux 7";
  const auto input = merge_runs(two(sample_run({sample_cell(1, "nvme", 100)}), std::move(other)));
  REQUIRE(input.ok());
  REQUIRE(input->machines.size() == 2);
  CHECK(input->machines[1].ends_with(", Linux 7"));
  CHECK(input->machine_of_run == std::vector<std::size_t>{0, 1});
}

TEST_CASE("two texts of one number are distinguished by their files") {
  SavedRun counted = sample_run({sample_cell(2, "nvme", 50)}, "b.json");
  counted.context.query_file = "paper-counted.q";
  counted.cells.front().text = "select by date from quote";
  const auto input = merge_runs(two(sample_run({sample_cell(2, "nvme", 100)}), std::move(counted)));
  REQUIRE(input.ok());
  REQUIRE(input->queries.size() == 2);
  CHECK(input->labels_of({0, 1}) == "Q02 (paper.q), Q02 (paper-counted.q)");
  CHECK(input->labels_of({}) == "none");
}

}  // namespace
}  // namespace hdbench::bench

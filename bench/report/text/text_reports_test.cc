#include "bench/report/text/text_reports.h"

#include "bench/report/views/figure_text.h"
#include "bench/report/views/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("the CSV has a line a cell, and as many fields in each") {
  CellResult odd = sample_cell(2, "nvme", 100);
  odd.text = "select \"a\", b\nfrom quote";
  CellResult peer = sample_cell(2, "dram", 7);
  peer.text = odd.text;
  peer.peer = PeerLabel{"duckdb", "1", "enum", "table", "select", {}};
  const ReportInput input = sample_input({odd, stopped_cell(sample_cell(1, "dram", 5), 8), peer});
  const std::string csv = csv_report(ReportPivot(input));
  CHECK(csv.find("\"select \"\"a\"\", b\nfrom quote\"") != std::string::npos);
  std::size_t fields = 0;
  std::size_t lines = 0;
  std::size_t expected = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv[i] == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (csv[i] == ',') ++fields;
    if (csv[i] != '\n') continue;
    REQUIRE(csv[i - 1] == '\r');
    if (lines == 0) expected = fields;
    CHECK(fields == expected);
    fields = 0;
    ++lines;
  }
  CHECK(lines == 4);
}

TEST_CASE("Markdown has the verdict and the answers, and escapes what is no markup") {
  SavedRun run = sample_run({sample_cell(1, "nvme", 100)});
  run.context.datasets.front().database = "/data/a_b|c";
  std::vector<SavedRun> runs;
  runs.push_back(std::move(run));
  const ReportInput input = *merge_runs(std::move(runs));
  const std::string text = markdown_report(ReportPivot(input));
  CHECK(text.find("a\\_b\\|c: 1,000 rows") != std::string::npos);
  CHECK(text.find("| Q01 | 10 | 100.0 [98.00 to 102.0] |") != std::string::npos);
  CHECK(text.find("**What does each tier cost me?**") != std::string::npos);
}

TEST_CASE("figures have their units") {
  CHECK(threads_text(0) == "0 threads");
  CHECK(threads_text(1) == "1 thread");
  CHECK(whole_mib(0) == 0);
  CHECK(whole_mib(1) == 1);
  CHECK(whole_mib(1 << 20) == 1);
  CHECK(time_text(0.5) == "0.500 ms");
  CHECK(time_text(999.6) == "1.00 s");
  CHECK(time_text(130'000) == "2.2 min");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
  CHECK(listed({}).empty());
  CHECK(ratio_with_interval({2, Interval{1.5, 12}}) == "2.00x (1.50 to 12.0)");
}

}  // namespace
}  // namespace hdbench

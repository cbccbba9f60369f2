#include "bench/report/text/text_reports.h"

#include "bench/report/views/figure_text.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
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

TEST_CASE("a cached cell is marked in every form of text, and a legend says so") {
  const ReportInput input = sample_input(sample_run_with_caches(
      {sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)}, kSampleBytes));
  const ReportPivot pivot(input);
  const std::string legend = "c moves less than 4 times the last-level caches (in no mean)";
  CHECK(summary_report(pivot).find("10.0x" + std::string("c")) != std::string::npos);
  CHECK(summary_report(pivot).find("geometric mean ") == std::string::npos);
  CHECK(summary_report(pivot).find("medians of 5 repetitions in ms; x: how many times as fast as "
                                   "NVMe, partitioned,") != std::string::npos);
  CHECK(markdown_report(pivot).find(", 10.0x c |") != std::string::npos);
  CHECK(full_report(pivot).find("cached ") != std::string::npos);
  for (const std::string& text :
       {summary_report(pivot, {400}), full_report(pivot, {400}), markdown_report(pivot)}) {
    CHECK(text.find(legend) != std::string::npos);
    for (const char* const other : {"= the same", "? no difference", "! above", "-s 8>2", "* emul"})
      CHECK(text.find(other) == std::string::npos);
  }
  const std::string csv = csv_report(pivot);
  CHECK(csv.find(",cached,") != std::string::npos);
  const ReportInput sound = sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)});
  for (const std::string& text :
       {summary_report(ReportPivot(sound), {400}), full_report(ReportPivot(sound), {400})})
    CHECK(text.find(legend) == std::string::npos);
}

TEST_CASE("a list explains crowded threads where a cell has them") {
  SavedRun run = sample_run({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)});
  run.context.host.cpus = 1;
  const ReportInput input = sample_input(std::move(run));
  CHECK(full_report(ReportPivot(input), {400}).find("-s 8>2: 8 threads on 2 CPUs") !=
        std::string::npos);
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
}  // namespace hdbench::bench

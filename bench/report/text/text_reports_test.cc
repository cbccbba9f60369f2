#include "bench/report/text/text_reports.h"

#include <functional>

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
  const std::string csv =
      csv_report(SamplePivot({odd, stopped_cell(sample_cell(1, "dram", 5), 8), peer}));
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
  const std::string text = markdown_report(SamplePivot(std::move(run)));
  CHECK(text.find("a\\_b\\|c: 1,000 rows") != std::string::npos);
  CHECK(text.find("| Q01 | 10 | 100.0 [98.00 to 102.0] |") != std::string::npos);
  CHECK(text.find("**What does each tier cost me?**") != std::string::npos);
}

TEST_CASE("a cached cell is marked in every form of text, and a legend says so") {
  const SamplePivot pivot(sample_run_with_caches(
      {sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)}, kSampleBytes));
  const std::string legend = "c moves less than 4 times the last-level caches (in no mean)";
  CHECK(summary_report(pivot).find("10.0x" + std::string("c")) != std::string::npos);
  CHECK(summary_report(pivot).find("geometric mean ") == std::string::npos);
  CHECK(summary_report(pivot).find("medians of 5 repetitions in ms; x: how many times as fast as "
                                   "NVMe, partitioned,") != std::string::npos);
  CHECK(markdown_report(pivot).find(", 10.0x c |") != std::string::npos);
  for (const std::string& text : {summary_report(pivot, {400}), markdown_report(pivot)}) {
    CHECK(text.find(legend) != std::string::npos);
    for (const char* const other : {"= the same", "? no difference", "! above", "* emul"})
      CHECK(text.find(other) == std::string::npos);
  }
  const std::string csv = csv_report(pivot);
  CHECK(csv.find(",cached,") != std::string::npos);
  const ReportInput sound = sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)});
  CHECK(summary_report(ReportPivot(sound), {400}).find(legend) == std::string::npos);
}

std::string markdown_of(std::vector<CellResult> cells,
                        const std::function<void(RunContext&)>& change = {}) {
  SavedRun run = sample_run(std::move(cells));
  if (change) change(run.context);
  return markdown_report(SamplePivot(std::move(run)));
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

TEST_CASE("Markdown and CSV have the same figures of threads") {
  std::vector<CellResult> cells;
  for (const auto& [threads, ms] : {std::pair{1, 100}, {2, 60}, {4, 40}}) {
    cells.push_back(sample_cell(1, "dram", ms));
    cells.back().setting.threads = static_cast<std::size_t>(threads);
  }
  const ReportInput input = sample_input(cells);
  const std::string markdown = markdown_report(ReportPivot(input));
  CHECK(markdown.find("| Q01 | 1.67x, 83 % | 2.50x, 62 % | 20 % serial (") != std::string::npos);
  CHECK(markdown.find(" | the serial part | not reached |") != std::string::npos);
  const std::string csv = csv_report(ReportPivot(input));
  CHECK(csv.find("speed_up,speed_up_low,speed_up_high,efficiency_percent,serial_share,") !=
        std::string::npos);
  CHECK(csv.find(",2.5,") != std::string::npos);
  CHECK(markdown_of({cells.front()}).find("## Threads") == std::string::npos);
}

TEST_CASE("Markdown says where a medium's bytes lay") {
  CellResult cell = sample_cell(1, "dram", 10);
  PlacementProof& proof = cell.placement_proof.emplace();
  proof.claim = "every page on node 0";
  proof.how = "move_pages";
  proof.bytes_total = proof.bytes_where_promised = 1'500'000'000;
  CHECK(has_line(markdown_of({cell}),
                 "- dram: real; where its bytes lay: partitioned 1.5 of 1.5 GB: every page on node "
                 "0 (move\\_pages)"));
}

TEST_CASE("Markdown has memory's ceilings by thread count, with the one at which it saturates") {
  const auto with = [](double one, double two) {
    return markdown_of({sample_cell(1, "dram", 10)}, [&](RunContext& context) {
      auto& counts = context.ceilings.memory.by_threads;
      counts.resize(2);
      counts[0].threads = 1;
      counts[0].read_gb_s = {one, one, one};
      counts[1].threads = 2;
      counts[1].read_gb_s = {two, two, two};
    });
  };
  CHECK(has_line(with(33, 34),
                 "- memory saturates (within 5 % of the best) at 1 thread: 33.0 GB/s "
                 "read"));
  CHECK(has_line(with(17, 34),
                 "- memory is not known to saturate, but reads most at 2 threads: "
                 "34.0 GB/s read"));
}

TEST_CASE("notes say what was spilled, is not precise or was not run; then the command") {
  std::vector<CellResult> cells = {sample_cell(10, "dram", 10), sample_cell(10, "dram", 10)};
  cells[0].spilled_bytes = 1'500'000'000;
  cells[1].spilled_bytes = 1'200'000'000;
  cells[0].setting.limit_mib = cells[1].setting.limit_mib = 64;
  cells[1].setting.threads = 1;
  cells.push_back(sample_cell(10, "dram", 10));
  cells[2].spilled_bytes = 1'300'000'000;
  cells[2].setting.limit_mib = 64;
  cells[2].setting.spill = "cxl:cxl-fpga";
  const std::string text = markdown_of(cells, [](RunContext& context) {
    context.precision = 0.01;
    context.codes_saved = {"narrow codes: half"};
    context.left_out = {"cxl: absent"};
    context.command = "hdbench run db";
  });
  CHECK(has_line(text,
                 "- spilled: Q10, -w 64: up to 1.5 GB of its workspace went to files, not to "
                 "the results' medium"));
  CHECK(text.find("1.2 GB") == std::string::npos);
  CHECK(has_line(text,
                 "- spilled: Q10, -w 64: up to 1.3 GB of its workspace went to cxl:cxl-fpga, not "
                 "to the results' medium"));
  CHECK(has_line(text,
                 "- precision: 3 of 3 intervals are wider than +-1 %\n- narrow codes: half\n"
                 "- not run: cxl: absent"));
  CHECK(text.ends_with("```\nhdbench run db\n```\n"));
}

}  // namespace
}  // namespace hdbench::bench

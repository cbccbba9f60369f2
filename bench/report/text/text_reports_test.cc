#include "bench/report/text/text_reports.h"

#include <algorithm>
#include <sstream>

#include "bench/report/views/figure_text.h"
#include "bench/report/views/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Characters, not bytes.
std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

ReportInput sample() {
  return sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                       emulated_cell(sample_cell(1, "dram", 20)),
                       stopped_cell(sample_cell(1, "dram", 5), 8)});
}

TEST_CASE("no line of the terminal's is wider than it, but for a word that is") {
  const ReportInput input = sample();
  for (const std::size_t width : {60, 80, 100, 140}) {
    for (const std::string& line : lines_of(terminal_report(ReportPivot(input), width))) {
      const bool is_one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      INFO(line);
      CHECK((columns_of(line) <= width || is_one_word));
    }
  }
}

TEST_CASE("the terminal's longest bar is the slowest medium's") {
  const ReportInput input = sample();
  std::size_t longest = 0;
  std::string slowest;
  for (const std::string& line : lines_of(terminal_report(ReportPivot(input), 100))) {
    const auto bar = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\x88'));
    if (bar <= longest) continue;
    longest = bar;
    slowest = line;
  }
  CHECK(slowest.find("NVMe, partitioned, cold") != std::string::npos);
}

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
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1000) == "1.0 kB");
  CHECK(bytes_text(999'999) == "1.0 MB");
  CHECK(bytes_text(245'400'000) == "245 MB");
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

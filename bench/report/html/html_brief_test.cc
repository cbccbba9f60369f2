#include "bench/report/html/html_brief.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool sheet_says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string brief_of(std::vector<CellResult> cells) {
  const ReportInput input = sample_input(std::move(cells));
  return brief_page(ReportPivot(input));
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("one medium has a table and no chart") {
  const std::string page = brief_of({sample_cell(1, "dram", 10)});
  CHECK(sheet_says(page, "No real tier was run beside DRAM."));
  CHECK_FALSE(sheet_says(page, "<svg"));
  CHECK(sheet_says(page, "<td>10.00</td>"));
}

TEST_CASE("the sheet has headline, chart, table, caveats and command") {
  const std::string page = brief_of({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                                     emulated_cell(sample_cell(1, "dram", 20))});
  CHECK(sheet_says(page, "Queries take 10.0 times as long on cold NVMe as in DRAM"));
  CHECK(times_in(page, "<circle") == 2);
  CHECK(times_in(page, "fill=\"#fff\"") == 1);  // the emulated one is hollow
  CHECK(sheet_says(page, "100.0&nbsp; 10.0x"));
  CHECK(sheet_says(page, "What to doubt"));
  CHECK(sheet_says(page, "hdbench run"));
  CHECK_FALSE(sheet_says(page, "<script"));
}

TEST_CASE("a query that is markup stays text") {
  CellResult cell = sample_cell(1, "dram", 10);
  cell.text = "<script>alert(1)</script>";
  CHECK_FALSE(sheet_says(brief_of({cell}), "<script"));
}

TEST_CASE("what the sheet does not hold is counted") {
  std::vector<CellResult> cells;
  for (int query = 1; query <= 30; ++query) {
    cells.push_back(sample_cell(query, "dram", 10));
    for (int node = 1; node <= 10; ++node)
      cells.push_back(sample_cell(query, "numa:" + std::to_string(node), 20));
  }
  const std::string page = brief_of(cells);
  CHECK(sheet_says(page, "14 more queries are in the long page."));
  CHECK(sheet_says(page, "2 more tiers are in the long page."));
}

TEST_CASE("figures that cannot be have a strip above the headline, and are in no mean") {
  const ReportInput input = sample_input(
      sample_run_with_ceiling({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 1),
                               sample_cell(2, "nvme", 100), sample_cell(2, "dram", 10)}));
  const std::string page = brief_page(ReportPivot(input));
  CHECK(page.find("These figures are not fit to decide on") < page.find("class=\"head\""));
  CHECK(sheet_says(page, "<td class=\"above\">1.00 !</td>"));
  CHECK(sheet_says(page, "<th>geometric mean</th><td></td><td>10.0x</td>"));
}

}  // namespace
}  // namespace hdbench::bench

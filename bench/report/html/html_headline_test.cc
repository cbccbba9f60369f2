// The page's first screen.
#include "bench/report/html/html_sections.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string first_screen(std::vector<CellResult> cells) {
  const ReportInput input = sample_input(std::move(cells));
  return headline_section(ReportPivot(input));
}

bool screen_has(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

TEST_CASE("the first screen has a sentence, a chart with its figures, and what to doubt") {
  const std::string html = first_screen({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                                         emulated_cell(sample_cell(1, "dram", 20))});
  CHECK(screen_has(html, "Queries take 10.0 times as long on cold NVMe as in DRAM"));
  CHECK(screen_has(html, "<p class=\"second\">Emulated, not measured: "));
  CHECK(screen_has(html, "chart-tiers"));
  CHECK(screen_has(html, "<b>10.0x</b>"));
  CHECK(screen_has(html, "What to doubt first"));
}

TEST_CASE("one medium has no chart on the first screen") {
  CHECK_FALSE(screen_has(first_screen({sample_cell(1, "dram", 10)}), "chart-tiers"));
}

}  // namespace
}  // namespace hdbench::bench

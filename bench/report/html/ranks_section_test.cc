#include "bench/report/html/html_sections.h"
#include "bench/testing/sample_ranks.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the section of ranks has their machines and shares, and hosts are no markup") {
  const ReportInput input = input_of_ranks({shared_run({shared_cell(1, 100, 3, 0.5)})});
  const std::string html = ranks_section(ReportPivot(input));
  CHECK(html.find("<section id=\"ranks\">") == 0);
  CHECK(html.find("host-&lt;b&gt;") != std::string::npos);
  CHECK(html.find("Where the time went") != std::string::npos);
  const ReportInput alone = sample_input({sample_cell(1, "dram", 2)});
  CHECK(ranks_section(ReportPivot(alone)).empty());
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult on(CellResult cell, std::size_t threads) {
  cell.setting.threads = threads;
  return cell;
}

ReportInput three_counts() {
  return sample_input({on(sample_cell(1, "dram", 100), 1), on(sample_cell(1, "dram", 60), 2),
                       on(sample_cell(1, "dram", 40), 4)});
}

TEST_CASE("one thread count has no table of threads") {
  const ReportInput input = sample_input({sample_cell(1, "dram", 5)});
  CHECK(thread_text(ReportPivot(input), 100).empty());
  CHECK(markdown_report(ReportPivot(input)).find("## Threads") == std::string::npos);
}

TEST_CASE("a query has its speed-ups, its law, what binds it, and no count that is enough") {
  const ReportInput input = three_counts();
  const std::string text = thread_text(ReportPivot(input), 100);
  CHECK(text.find("query    2 threads    4 threads  enough  what binds at 4 threads\n"
                  "Q01    1.67x, 83 %  2.50x, 62 %       -          the serial part\n") !=
        std::string::npos);
  CHECK(text.find("law: Q01 20 % serial (") != std::string::npos);
  const std::string narrow = thread_text(ReportPivot(input), 50);
  CHECK(narrow.find("1.67x") == std::string::npos);
  CHECK(narrow.find("2.50x, 62 %") != std::string::npos);
}

TEST_CASE("Markdown and CSV have the same figures of threads") {
  const ReportInput input = three_counts();
  const std::string markdown = markdown_report(ReportPivot(input));
  CHECK(markdown.find("| Q01 | 1.67x, 83 % | 2.50x, 62 % | 20 % serial (") != std::string::npos);
  CHECK(markdown.find(" | the serial part | not reached |") != std::string::npos);
  const std::string csv = csv_report(ReportPivot(input));
  CHECK(csv.find("speed_up,speed_up_low,speed_up_high,efficiency_percent,serial_share,") !=
        std::string::npos);
  CHECK(csv.find(",2.5,") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench

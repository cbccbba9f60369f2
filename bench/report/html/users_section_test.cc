#include "bench/report/html/html_sections.h"
#include "bench/report/views/users_view.h"
#include "bench/testing/sample_users.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a page without cells of users has no section of them") {
  const ReportInput input = input_of_users({});
  CHECK(users_section(ReportPivot(input)).empty());
}

TEST_CASE("the section has each cell's figures, what it saturates at, and why a cell has none") {
  UsersCell over = answered("dram", 2, 0, 31.25, 10);
  over.arrivals_per_s = 500;
  over.overrun = true;
  UsersCell bad = answered("nvme", 2, 50, 0, 0);
  bad.error = "Q02: <b> needs more";
  const ReportInput input =
      input_of_users({answered("dram", 2, 1, 60, 20), answered("dram", 2, 10, 100, 40), over, bad});
  const std::string html = users_section(ReportPivot(input));
  CHECK(html.find("<section id=\"users\">") == 0);
  CHECK(html.find("id=\"chart-users\"") != std::string::npos);
  CHECK(html.find("36.00 to 44.00") != std::string::npos);
  CHECK(html.find("100 answers/s at most") != std::string::npos);
  CHECK(html.find("the queue never empties") != std::string::npos);
  CHECK(html.find("Q02: &lt;b&gt; needs more") != std::string::npos);
  CHECK(html.find("Little") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench

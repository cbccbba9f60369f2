#include "bench/report/text/text_reports.h"
#include "bench/report/views/users_view.h"
#include "bench/testing/sample_users.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the table fits 80 columns, and says what has no times") {
  UsersCell over = answered("dram", 2, 0, 31.25, 10);
  over.arrivals_per_s = 500;
  over.overrun = true;
  UsersCell bad = answered("dram", 2, 50, 0, 0);
  bad.error = "Q02: -w: it needs more than there is, by far, and says so in a long sentence";
  UsersCell killed = answered("dram", 2, 10, 99999.9, 123456.7);
  killed.died = 2;
  killed.lost = 1;
  ReportInput input = input_of_users({over, bad, killed});
  input.goals = {*parse_goal("p50<1ms at 1000 users")};
  const std::string text = users_part(input, {80});
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    INFO(text.substr(begin, end - begin));
    CHECK(end - begin <= 80);
  }
  CHECK(text.find("500/s") != std::string::npos);
  CHECK(text.find("31.25/s: the queue never empties") != std::string::npos);
  CHECK(text.find("10 users: 2 processes died and 1 query was lost.") != std::string::npos);
  CHECK(text.find("cannot be said: no cell of 1000 or more users") != std::string::npos);
  CHECK(users_part(input_of_users({}), {80}).empty());
}

}  // namespace
}  // namespace hdbench::bench

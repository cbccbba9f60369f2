#include "bench/model/time_budget.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

using Clock = TimeBudget::Clock;
using std::chrono::seconds;

double seconds_to(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

TEST_CASE("what is done of a run is the time spent, of that and what is left") {
  const Clock::time_point begin{};
  TimeBudget budget({10, 30}, std::nullopt, begin);
  CHECK(budget.done(0, begin) == 0);
  budget.begin_part(1, begin + seconds(10));
  CHECK(budget.done(0, begin + seconds(10)) == Approx(0.25));
  CHECK(budget.done(0.5, begin + seconds(25)) == Approx(25.0 / 40));
  CHECK(TimeBudget({}, std::nullopt, begin).done(0, begin) == 0);
}

TEST_CASE("parts share what is left of the budget by their estimates") {
  const Clock::time_point begin{};
  TimeBudget budget({10, 30}, 80, begin);
  budget.begin_part(0, begin);
  CHECK(seconds_to(begin, *budget.deadline()) == Approx(20));
  budget.begin_part(1, begin + seconds(5));
  CHECK(seconds_to(begin, *budget.deadline()) == Approx(80));
  budget.begin_part(1, begin + seconds(90));
  CHECK(*budget.deadline() == begin + seconds(90));
}

TEST_CASE("the others share the time of a part that is not run") {
  const Clock::time_point begin{};
  TimeBudget budget({10, 30, 10}, 80, begin);
  budget.begin_part(0, begin);
  CHECK(seconds_to(begin, *budget.deadline()) == Approx(16));
  budget.drop(1);
  budget.begin_part(1, begin + seconds(16));
  budget.begin_part(2, begin + seconds(16));
  CHECK(seconds_to(begin, *budget.deadline()) == Approx(80));
}

TEST_CASE("what is left follows what the parts before have taken") {
  const Clock::time_point begin{};
  TimeBudget budget({10, 30}, std::nullopt, begin);
  budget.begin_part(0, begin);
  CHECK(budget.left_s(0, begin) == Approx(40));
  CHECK(budget.left_s(0.5, begin + seconds(10)) == Approx(40));
  budget.begin_part(1, begin + seconds(20));
  CHECK(budget.left_s(0, begin + seconds(20)) == Approx(60));
}

TEST_CASE("durations are reported in the unit that one thinks in") {
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(59.2) == "60 s");
  CHECK(duration_text(361) == "7 min");
  CHECK(duration_text(7300) == "2 h 2 min");
}

TEST_CASE("a time is given in hours, minutes and seconds, or in minutes alone") {
  CHECK(*parse_duration("--budget", "90s") == 90);
  CHECK(*parse_duration("--budget", "5m") == 300);
  CHECK(*parse_duration("--budget", "1h30m") == 5400);
  CHECK(*parse_duration("--budget", "2h") == 7200);
  CHECK(*parse_duration("--budget", "1.5h10s") == 5410);
  CHECK(*parse_duration("--budget", "5") == 300);
  CHECK(*parse_duration("--budget", "0.001") == Approx(0.06));
  for (const char* const wrong : {"", "0", "0s", "-1", "5x", "m", "5 m", "30m1h", "1m1m", "1h30",
                                  "inf", "nan", "1e9", "0x10", "99999999h", "5m\n", "+5"}) {
    const auto parsed = parse_duration("--budget", wrong);
    INFO(wrong);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().kind == ErrorKind::kUsage);
    CHECK(parsed.error().message.starts_with("--budget: '"));
  }
}

TEST_CASE("cold cells and copies cost more than warm ones") {
  const PlacementWork warm{1e9, false, 0, 11, 1, 5};
  const PlacementWork cold{1e9, false, 11, 0, 1, 5};
  const PlacementWork copied{1e9, true, 0, 11, 1, 5};
  CHECK(estimate_s(cold) > estimate_s(warm));
  CHECK(estimate_s(copied) > estimate_s(warm));
}

}  // namespace
}  // namespace hdbench::bench

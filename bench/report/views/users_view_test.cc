#include "bench/report/views/users_view.h"

#include "bench/testing/sample_users.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a line a medium and pool, its points by users") {
  const ReportInput input =
      input_of_users({answered("dram", 2, 10, 100, 40), answered("dram", 2, 1, 60, 20),
                      answered("nvme", 2, 1, 30, 50), answered("dram", 4, 1, 60, 20)});
  const auto lines = users_lines(input);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].label == "dram partitioned, warm, 2 processes of 2 threads");
  REQUIRE(lines[0].cells.size() == 2);
  CHECK(lines[0].cells[0]->users == 1);
  REQUIRE(lines[0].saturation);
  CHECK(lines[0].saturation->at_users == 10);
  CHECK_FALSE(lines[1].saturation);
  CHECK(littles_text(lines) ==
        "Little's law (users = rate x time) holds within 0.0 % in all 4 "
        "cells.");
}

TEST_CASE("a goal names a part of the answers, a time and users") {
  const auto goal = parse_goal("p99<200ms at 20 users");
  REQUIRE(goal.ok());
  CHECK(goal->part == 0.99);
  CHECK(goal->ms == 200);
  CHECK(goal->users == 20);
  CHECK(parse_goal("p99.9 < 1.5s at 1 user")->ms == 1500);
  for (const char* text :
       {"", "p99", "p98<1ms at 1 users", "p99<0ms at 1 users", "p99<1m at 1 users",
        "p99<1ms at 0 users", "p99<1ms at 1.5 users", "p99<1ms at 1 users now"}) {
    INFO(text);
    CHECK_FALSE(parse_goal(text).ok());
  }
}

TEST_CASE("the cheapest pool that meets a goal does so with its whole interval") {
  const ReportInput input = input_of_users(
      {answered("dram", 1, 20, 50, 400), answered("dram", 2, 20, 90, 195),
       answered("dram", 3, 20, 130, 120), answered("dram", 4, 20, 140, 110),
       answered("nvme", 4, 10, 140, 110), answered("cxl:cxl-asic-ddr5", 1, 30, 9, 900)});
  const LatencyGoal goal = *parse_goal("p99<200ms at 20 users");
  const auto answers = goal_answers(input, goal);
  REQUIRE(answers.size() == 2);
  REQUIRE(answers[0].cheapest);
  CHECK(cores_of(*answers[0].choices[*answers[0].cheapest].cell) == 6);
  CHECK(
      answers[0].text(goal) ==
      "dram partitioned, warm: 6 cores (3 processes of 2 threads): 120.0 ms [108.0 to 132.0]; the "
      "next step buys 8 cores (4 processes of 2 threads): 110.0 ms [99.00 to 121.0]");
  CHECK_FALSE(answers[1].cheapest);
  CHECK(answers[1].text(goal).find("none that was run meets it; the best is 2 cores") !=
        std::string::npos);
}

TEST_CASE("a goal is not met without an interval or by a run that was cut short") {
  UsersCell alone = answered("dram", 1, 20, 50, 100);
  alone.p99->interval.reset();
  UsersCell cut = answered("dram", 2, 20, 50, 100);
  cut.rounds = 1;
  const LatencyGoal goal = *parse_goal("p99<200ms at 20 users");
  const auto answers = goal_answers(input_of_users({alone, cut}), goal);
  REQUIRE(answers.size() == 1);
  CHECK_FALSE(answers[0].cheapest);
  CHECK(answers[0].text(goal).find("none that was run meets it") != std::string::npos);
}

TEST_CASE("a goal that cannot be answered says why, and takes the next cell with a figure") {
  UsersCell few = answered("dram", 1, 20, 50, 100);
  few.p99.reset();
  UsersCell dead = answered("nvme", 1, 20, 50, 100);
  dead.p99.reset();
  dead.error = "every process of the pool has died";
  const LatencyGoal goal = *parse_goal("p99<200ms at 20 users");
  const auto answers =
      goal_answers(input_of_users({few, dead, answered("dram", 1, 30, 60, 120)}), goal);
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].text(goal).find("at 30 users") != std::string::npos);
  CHECK(answers[1].text(goal) ==
        "nvme partitioned, warm: cannot be said: every process of the pool has died");
  CHECK(goal_answers(input_of_users({few}), goal)[0].text(goal) ==
        "dram partitioned, warm: cannot be said: too few answers: run longer (--seconds)");
}

TEST_CASE("two mixes are two lines, each with its mix") {
  UsersCell night = answered("dram", 2, 10, 30, 90);
  night.mix = "Q01 1";
  const auto lines = users_lines(input_of_users({answered("dram", 2, 10, 100, 40), night}));
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].label == "dram partitioned, warm, 2 processes of 2 threads, mix Q01 1");
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/model/users_cell.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

UsersCell point(std::size_t users, double per_s) {
  UsersCell cell;
  cell.users = users;
  cell.per_s = per_s;
  cell.answers = 100;
  return cell;
}

TEST_CASE("a cell of users is named after its loop, its pool and its setting") {
  UsersQuestion question;
  question.users = 10;
  question.processes = 2;
  CHECK(question.name() == "users:10/processes:2/" + setting_name(question.setting));
  question.users = 0;
  question.arrivals_per_s = 2.5;
  CHECK(question.name() == "arrivals:2.5/processes:2/" + setting_name(question.setting));
}

TEST_CASE("Little's law compares who waits with the rate times the time") {
  UsersCell cell = point(10, 50);
  cell.queued_ms = 150;
  cell.served_ms = 40;
  cell.checked_ms = 10;
  cell.in_system = 10;
  CHECK(cell.littles_ratio().value() == Approx(1));
  cell.answers = 0;
  CHECK_FALSE(cell.littles_ratio());
}

TEST_CASE("saturation is the fewest users that reach nearly the most answers") {
  CHECK_FALSE(saturation_of({point(1, 10)}));
  const auto found = saturation_of({point(50, 101), point(1, 30), point(10, 98), point(100, 100)});
  REQUIRE(found);
  CHECK(found->at_users == 10);
  CHECK(found->most_per_s == 101);
  CHECK(found->is_reached);
  const auto rising = saturation_of({point(1, 10), point(2, 20)});
  REQUIRE(rising);
  CHECK_FALSE(rising->is_reached);
}

}  // namespace
}  // namespace hdbench::bench

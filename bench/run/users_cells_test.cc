#include "bench/run/users_cells.h"

#include "bench/testing/small_database.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string refusal_of(const UsersWords& words) {
  const auto plan = plan_users(words, 1);
  return plan.ok() ? "" : plan.error().message;
}

TEST_CASE("users, arrivals and pools are lists of numbers, each in its range") {
  const auto plan = plan_users({"1,10", "20,2.5/s", "2,4", "", "0.5"}, 9);
  REQUIRE(plan.ok());
  CHECK(plan->users == std::vector<std::size_t>{1, 10});
  CHECK(plan->arrivals == std::vector<double>{20, 2.5});
  CHECK(plan->processes == std::vector<std::size_t>{2, 4});
  CHECK(plan->seconds == 0.5);
  CHECK(plan->seed == 9);
  CHECK_FALSE(plan_users({}, 1)->is_any());
  CHECK(refusal_of({.users = "0"}) == "--users: '0' is not a number from 1 to 10000");
  CHECK(refusal_of({.users = "1.5"}) == "--users: '1.5' is not a whole number");
  CHECK(refusal_of({.arrivals = "many"}) ==
        "--arrivals: 'many' is not a number from 0.001 to 1000000");
  CHECK(refusal_of({.users = "1", .processes = "5000"}) ==
        "--processes: '5000' is not a number from 1 to 1000");
  CHECK(refusal_of({.processes = "2"}) ==
        "--processes: it is about users: add --users or --arrivals");
  CHECK(refusal_of({.mix = "m"}) == "--mix: it is about users: add --users or --arrivals");
}

TEST_CASE("without --processes a pool is what the CPUs run at once") {
  UsersPlan plan;
  plan.users = {1, 5};
  plan.arrivals = {3};
  Setting four;
  four.threads = 4;
  Setting many;
  many.threads = 100;
  const auto questions = users_questions(plan, {four, many}, 64);
  REQUIRE(questions.size() == 6);
  CHECK(questions[0].processes == 16);
  CHECK(questions[1].users == 5);
  CHECK(questions[2].arrivals_per_s == 3);
  CHECK(questions[3].processes == 1);
}

// One cell over a database of the least size.
Result<UsersCell> cell_of(const std::string& medium, Cache cache, std::size_t users) {
  const SmallDatabase database;
  SessionOptions options;
  options.database = database.path();
  options.ceiling_bytes = 1 << 20;
  auto session = Session::open(options);
  REQUIRE(session.ok());
  const auto queries = one_query("select max bid, last ask by col3 from quote");
  REQUIRE(queries.ok());
  HDB_ASSIGN(auto placement, (*session)->place({"quote"}, {medium}));
  const auto bound = bind_all(*queries, *placement);
  REQUIRE(bound.ok());
  HDB_TRY((*session)->map_needed(*queries, *bound, *placement, [](std::size_t, std::size_t) {}));
  CHECK(users_refusal(**session, *placement).empty());
  UsersPlan plan;
  plan.seconds = 0.2;
  UsersMeasured measured;
  measured.cell.setting.medium = medium;
  measured.cell.setting.cache = cache;
  measured.cell.users = users;
  measured.cell.processes = 2;
  ChecksumLedger ledger;
  for (std::size_t round = 0; round < kUsersRounds; ++round) {
    HDB_TRY(run_users_round(**session, *bound, *placement, plan, even_mix(*queries), ledger, {},
                            measured));
  }
  CHECK(measured.cell.rounds == kUsersRounds);
  return measured.cell;
}

TEST_CASE("processes answer from memory, from a device that they share, and cold from a disk") {
  for (const char* medium : {"dram", "app-direct:optane-100-6dimm"}) {
    const auto cell = cell_of(medium, Cache::kWarm, 3);
    REQUIRE(cell.ok());
    CHECK_FALSE(cell->error);
    CHECK(cell->answers >= 9);
    CHECK(cell->gb_per_s > 0);
    CHECK(cell->emulated == (std::string(medium) != "dram"));
  }
  const auto cold = cell_of("nvme", Cache::kCold, 2);
  // Files on a memory file system have no cold state.
  if (cold.ok()) CHECK(cold->answers >= 6);
}

TEST_CASE("what processes cannot share is refused with the reason") {
  const SmallDatabase database;
  SessionOptions options;
  options.database = database.path();
  options.ceiling_bytes = 1 << 20;
  options.media.emulation.mode = EmulationMode::kModel;
  auto session = Session::open(options);
  REQUIRE(session.ok());
  const auto modelled = (*session)->place({"quote"}, {"app-direct:optane-100-6dimm"});
  REQUIRE(modelled.ok());
  CHECK(users_refusal(**session, **modelled).find("keeps nobody waiting") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/run/placement_users.h"

#include "bench/testing/small_database.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// The placement of a run with users over the smallest database.
struct UsersCase {
  SmallDatabase database;
  std::unique_ptr<Session> session;
  std::vector<ListedQuery> queries;
  UsersPlan plan;
  NamePattern filter;
  std::vector<UsersCell> cells;
  std::vector<Setting> settings;
  ChecksumLedger ledger;

  UsersCase() {
    SessionOptions options;
    options.database = database.path();
    options.ceiling_bytes = 1 << 20;
    auto opened = Session::open(options);
    REQUIRE(opened.ok());
    session = std::move(*opened);
    auto listed = one_query("select max bid by col3 from quote");
    REQUIRE(listed.ok());
    queries = std::move(*listed);
    plan.users = {1, 2};
    plan.processes = {2};
    plan.seconds = 0.2;
    settings.resize(1);
    settings.front().medium = "dram";
  }
  PlacementUsers users() {
    PlacementUsers users(*session, plan, filter, queries, cells);
    REQUIRE(users.begin().ok());
    return users;
  }
};

TEST_CASE("what was asked before is taken, and what was asked otherwise is not") {
  UsersCase one;
  PlacementUsers users = one.users();
  const auto asked = users.asked(one.settings);
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].mix == "Q01 1");
  CHECK(users.estimate_s(one.settings) == Approx(0.44));
  std::vector<UsersCell> before(5);
  for (UsersCell& cell : before) {
    static_cast<UsersQuestion&>(cell) = asked[0];
    cell.rounds = kUsersRounds;
    cell.checksums = {{1, 5}};
  }
  before[0].rounds = 1;
  before[1].error = "dead";
  before[2].mix_texts = "0";
  before[3].asked_seconds = 60;
  const auto changed = std::vector<UsersCell>(before.begin(), before.begin() + 4);
  REQUIRE(users.take(one.settings, changed, one.ledger).ok());
  CHECK(one.cells.empty());
  REQUIRE(users.take(one.settings, before, one.ledger).ok());
  CHECK(one.cells.size() == 1);
  REQUIRE(users.missing(one.settings).size() == 1);
  CHECK(users.missing(one.settings)[0].users == 2);
  CHECK_FALSE(one.ledger.add(1, "another", 6).ok());
}

TEST_CASE("a query of the mix that the placement lacks is named, and nothing is run") {
  UsersCase one;
  PlacementUsers users = one.users();
  const auto placement = one.session->place({"quote"}, {"dram"});
  REQUIRE(placement.ok());
  std::vector<std::string> left_out;
  const TimeBudget budget({1}, std::nullopt, TimeBudget::Clock::now());
  REQUIRE(users
              .run(one.settings, {}, **placement,
                   {"dram", budget, one.ledger, [] {},
                    [&](const std::string& line) { left_out.push_back(line); }})
              .ok());
  CHECK(left_out == std::vector<std::string>{
                        "dram: --users: it cannot answer Q01: name the others by --mix FILE"});
  CHECK(one.cells.empty());
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/users/load.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <string>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kSum = 77;

// Answers after so long; query 3 ends the process, 2 has no result.
std::unique_ptr<WorkerPool> sleepers(std::size_t processes, long ns) {
  auto pool = WorkerPool::start(processes, [ns](std::size_t) -> WorkerPool::Serve {
    return [ns](const Ask& ask, Reply& answer) {
      const timespec pause{0, ns};
      ::nanosleep(&pause, nullptr);
      if (ask.query == 3) ::kill(::getpid(), SIGKILL);
      if (ask.query == 2) return answer.fail("-w: it needs more");
      answer.served_ns = static_cast<std::uint64_t>(ns);
      answer.bytes_read = 1000;
      answer.checksum = kSum;
      answer.has_result = true;
    };
  });
  REQUIRE(pool.ok());
  return std::move(*pool);
}

struct Seen {
  UsersCell cell;
  std::vector<std::string> lines;
  Status status = ok_status();
};

Seen run(WorkerPool& pool, const LoadPlan& plan, std::uint64_t expected = kSum) {
  Seen seen;
  seen.cell.users = plan.users;
  seen.cell.arrivals_per_s = plan.arrivals_per_s;
  seen.cell.processes = pool.alive();
  LoadWatch watch;
  watch.check = [&](int, std::uint64_t checksum) {
    return checksum == expected ? ok_status()
                                : Status(Error{ErrorKind::kMismatch, "it differs", {}});
  };
  watch.limit = [](const std::string&) { return ok_status(); };
  watch.warn = [&](const std::string& line) { seen.lines.push_back(line); };
  LoadRound round;
  seen.status = run_load(pool, plan, watch, seen.cell, round);
  if (seen.status.ok() && !seen.cell.error) take_rounds({round, round}, seen.cell);
  return seen;
}

TEST_CASE("a closed loop has all its users in the system, and its parts add up") {
  const auto pool = sleepers(2, 2'000'000);
  const Seen seen = run(*pool, {.users = 5, .seconds = 0.4, .mix = {{1, 1}}});
  REQUIRE(seen.status.ok());
  const UsersCell& cell = seen.cell;
  REQUIRE_FALSE(cell.error);
  CHECK(cell.rounds == 2);
  CHECK(cell.answers >= 15);
  CHECK(cell.in_system == Approx(5));
  REQUIRE(cell.littles_ratio());
  CHECK(*cell.littles_ratio() == Approx(1).epsilon(0.2));
  REQUIRE(cell.p50);
  CHECK(cell.p50->ms >= 2);
  CHECK(cell.p50->ms <= cell.max_ms);
  CHECK(cell.served_ms == Approx(2));
  CHECK(cell.queued_ms > 0);
  CHECK(cell.checked_ms > 0);
  CHECK(cell.per_s > 0);
  CHECK(cell.gb_per_s == Approx(cell.per_s * 1e-6));
  CHECK(cell.answers_by_query == std::vector<std::pair<int, std::uint64_t>>{{1, cell.answers}});
  REQUIRE(cell.per_s_interval);
  CHECK(cell.per_s_interval->low <= cell.per_s_interval->high);
}

TEST_CASE("an open loop counts from the schedule's time, and answers all that it asked") {
  const auto pool = sleepers(1, 1'000'000);
  const Seen seen = run(*pool, {.arrivals_per_s = 50, .seconds = 0.6, .mix = {{1, 1}}});
  REQUIRE(seen.status.ok());
  REQUIRE_FALSE(seen.cell.error);
  CHECK_FALSE(seen.cell.overrun);
  CHECK(seen.cell.answers > 5);
  CHECK(seen.cell.max_ms >= 1);
  CHECK(seen.cell.p50->ms >= 1);
  CHECK(seen.cell.checksums == std::vector<std::pair<int, std::uint64_t>>{{1, kSum}});
  REQUIRE(seen.cell.offered_load);
  CHECK(*seen.cell.offered_load >= 0.05);
}

TEST_CASE("a little more than a pool bears is said, too, in a short round") {
  const auto pool = sleepers(1, 20'000'000);
  const Seen seen = run(*pool, {.arrivals_per_s = 65, .seconds = 0.5, .mix = {{1, 1}}});
  REQUIRE(seen.status.ok());
  REQUIRE_FALSE(seen.cell.error);
  CHECK(seen.cell.overrun);
  CHECK(*seen.cell.offered_load >= 1);
}

TEST_CASE("a round whose users cannot all be answered in ten times its time says so") {
  const auto pool = sleepers(1, 20'000'000);
  const Seen seen = run(*pool, {.users = 50, .seconds = 0.02, .mix = {{1, 1}}});
  REQUIRE(seen.status.ok());
  REQUIRE(seen.cell.error);
  CHECK(seen.cell.error->find("not every user has had an answer") != std::string::npos);
}

TEST_CASE("arrivals above what a pool bears are said, with what it bears, and have no times") {
  const auto pool = sleepers(1, 10'000'000);
  const Seen seen = run(*pool, {.arrivals_per_s = 2000, .seconds = 0.5, .mix = {{1, 1}}});
  REQUIRE(seen.status.ok());
  CHECK(seen.cell.overrun);
  CHECK_FALSE(seen.cell.p50);
  CHECK(seen.cell.per_s > 0);
  CHECK(seen.cell.per_s <= 105);  // 100, and the one that the round's beginning finds half done
}

TEST_CASE("a process that is killed loses its query, which is told, and the rest goes on") {
  const auto pool = sleepers(3, 1'000'000);
  const Seen seen = run(*pool, {.users = 3, .seconds = 0.3, .mix = {{1, 40}, {3, 1}}, .seed = 3});
  REQUIRE(seen.status.ok());
  CHECK(seen.cell.died >= 1);
  CHECK(seen.cell.lost == seen.cell.died);
  REQUIRE_FALSE(seen.lines.empty());
  CHECK(seen.lines.front().find("was ended by signal 9 and its query Q03 is lost") !=
        std::string::npos);
}

TEST_CASE("when every process has died the cell says so, and has no figure") {
  const auto pool = sleepers(1, 1'000'000);
  const Seen seen = run(*pool, {.users = 2, .seconds = 5, .mix = {{3, 1}}});
  REQUIRE(seen.status.ok());
  REQUIRE(seen.cell.error);
  CHECK(seen.cell.error->starts_with("every process of the pool has died"));
  CHECK(seen.cell.answers == 0);
}

TEST_CASE("a query without a result ends the cell with its reason") {
  const auto pool = sleepers(1, 1'000'000);
  const Seen seen = run(*pool, {.users = 2, .seconds = 5, .mix = {{2, 1}}});
  REQUIRE(seen.status.ok());
  CHECK(seen.cell.error == std::optional<std::string>("Q02: -w: it needs more"));
}

TEST_CASE("an answer that differs ends the load") {
  const auto pool = sleepers(1, 1'000'000);
  const Seen seen = run(*pool, {.users = 1, .seconds = 5, .mix = {{1, 1}}}, kSum + 1);
  REQUIRE_FALSE(seen.status.ok());
  CHECK(seen.status.error().kind == ErrorKind::kMismatch);
}

}  // namespace
}  // namespace hdbench::bench

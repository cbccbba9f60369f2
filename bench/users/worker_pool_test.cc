#include "bench/users/worker_pool.h"

#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

#include "bench/base/process_group.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kPatienceNs = 20'000'000'000;

// Answers with its own process number; query 9 ends it, 8 takes memory that is not there.
WorkerPool::Serve teller(std::size_t) {
  return [](const Ask& ask, Reply& answer) {
    if (ask.query == 9) ::kill(::getpid(), SIGKILL);
    if (ask.query == 8) throw std::bad_alloc();
    if (ask.query == 7) throw std::system_error(EAGAIN, std::generic_category(), "no thread");
    answer.checksum = static_cast<std::uint64_t>(::getpid());
    answer.has_result = true;
  };
}

WorkerPool::Event next_event(WorkerPool& pool) {
  const auto events = pool.wait_until(monotonic_ns() + kPatienceNs);
  REQUIRE(events.ok());
  REQUIRE(events->size() == 1);
  return events->front();
}

TEST_CASE("a pool's processes are real, and the one that was free for longest is next") {
  const auto pool = WorkerPool::start(2, teller);
  REQUIRE(pool.ok());
  CHECK((*pool)->alive() == 2);
  std::vector<std::uint64_t> pids;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    REQUIRE((*pool)->put({number, 1}));
    const WorkerPool::Event event = next_event(**pool);
    REQUIRE(event.reply);
    CHECK(event.reply->number == number);
    CHECK(event.reply->begin_ns <= event.reply->end_ns);
    CHECK(event.reply->has_result);
    pids.push_back(event.reply->checksum);
  }
  CHECK(pids[0] != pids[1]);
  CHECK(pids[0] == pids[2]);
  CHECK(pids[1] == pids[3]);
  CHECK(pids[0] != static_cast<std::uint64_t>(::getpid()));
}

TEST_CASE("a process that dies loses its query, and the others go on") {
  const auto pool = WorkerPool::start(2, teller);
  REQUIRE(pool.ok());
  REQUIRE((*pool)->put({5, 9}));
  const WorkerPool::Event death = next_event(**pool);
  CHECK_FALSE(death.reply);
  CHECK(death.lost == std::optional<std::uint64_t>(5));
  CHECK(death.how == "signal 9");
  CHECK((*pool)->alive() == 1);
  REQUIRE((*pool)->put({6, 1}));
  CHECK_FALSE((*pool)->put({7, 1}));  // the other one is busy
  CHECK(next_event(**pool).reply.has_value());
}

TEST_CASE("a query that memory does not suffice for is an answer without a result") {
  const auto pool = WorkerPool::start(1, teller);
  REQUIRE(pool.ok());
  REQUIRE((*pool)->put({1, 8}));
  const WorkerPool::Event event = next_event(**pool);
  REQUIRE(event.reply);
  CHECK_FALSE(event.reply->has_result);
  CHECK(std::string(event.reply->error.data()) == "out of memory");
  CHECK((*pool)->has_free());
}

TEST_CASE("a query that throws is an answer too, and its process goes on") {
  const auto pool = WorkerPool::start(1, teller);
  REQUIRE(pool.ok());
  REQUIRE((*pool)->put({4, 7}));
  const WorkerPool::Event event = next_event(**pool);
  REQUIRE(event.reply);
  CHECK(event.reply->number == 4);
  CHECK_FALSE(event.reply->has_result);
  CHECK(std::string(event.reply->error.data()).starts_with("no thread"));
  REQUIRE((*pool)->put({5, 1}));
  CHECK(next_event(**pool).reply->has_result);
}

TEST_CASE("a process that cannot begin is named with its reason") {
  const auto pool = WorkerPool::start(2, [](std::size_t worker) -> WorkerPool::Serve {
    if (worker == 1) throw std::runtime_error("no such medium");
    return teller(worker);
  });
  REQUIRE_FALSE(pool.ok());
  CHECK(pool.error().message == "process 2 of 2 could not begin: no such medium");
}

TEST_CASE("a wait for nothing ends at its time") {
  const auto pool = WorkerPool::start(1, teller);
  REQUIRE(pool.ok());
  const std::uint64_t until = monotonic_ns() + 5'000'000;
  const auto events = (*pool)->wait_until(until);
  REQUIRE(events.ok());
  CHECK(events->empty());
  CHECK(monotonic_ns() >= until);
}

}  // namespace
}  // namespace hdbench::bench

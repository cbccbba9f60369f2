#include "bench/storage/io_ranks.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <span>
#include <thread>

#include "bench/storage/io_results.h"
#include "engine/base/byte_stream.h"
#include "engine/base/catch.h"
#include "engine/testing/column_files.h"
#include "engine/testing/thread_ranks.h"

namespace hdbench::bench {
namespace {

// What each of so many threads, as a rank, gives.
template <typename Step>
auto by_ranks(std::size_t count, const Step& step) {
  using Given = decltype(step(std::declval<IoRanks&>()));
  testing::Mailboxes boxes(count);
  std::vector<std::optional<Given>> given(count);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      testing::ThreadRank one(boxes, rank, testing::Sharing::kRoundRobin);
      IoRanks ranks(&one);
      given[rank].emplace(step(ranks));
    });
  }
  for (std::thread& one : threads) one.join();
  return given;
}

std::string text_of(const IoRanks::Messages& messages) {
  std::string text;
  for (const auto& one : messages) text += "[" + std::string(as_text(one)) + "]";
  return text;
}

TEST_CASE("who is alone hears itself, and its errors have no name") {
  IoRanks alone(nullptr);
  const std::string said = "a";
  CHECK(alone.count() == 1);
  CHECK(text_of(alone.exchange(std::as_bytes(std::span(said)))) == "[a]");
  CHECK(alone.exchange_lines({"x", "y"}) == std::vector<std::string>{"x", "y"});
  CHECK(*alone.meet("anything", "host") == 1);
  CHECK(alone.agree(ok_status()).ok());
  CHECK(alone.agree(Status(data_error("EIO"))).error().message == "EIO");
}

TEST_CASE("all hear all, in the order of ranks; what is gathered rank 0 hears") {
  for (const auto& heard : by_ranks(3, [](IoRanks& ranks) {
         const std::string said(ranks.rank(), 'x');
         return text_of(ranks.exchange(std::as_bytes(std::span(said))));
       })) {
    CHECK(*heard == "[][x][xx]");
  }
  const auto gathered = by_ranks(2, [](IoRanks& ranks) {
    const std::string said = std::to_string(ranks.rank());
    return text_of(ranks.gather(std::as_bytes(std::span(said))));
  });
  CHECK(*gathered[0] == "[0][1]");
  CHECK(*gathered[1] == "[1]");
}

TEST_CASE("an error of one rank is everybody's, with its name and kind") {
  for (const auto& status : by_ranks(3, [](IoRanks& ranks) {
         return ranks.agree(ranks.rank() == 0 ? Result<int>(7) : usage_error("interrupted"));
       })) {
    REQUIRE_FALSE(status->ok());
    CHECK(status->error().message == "rank 1: interrupted");
    CHECK(status->error().kind == ErrorKind::kUsage);
  }
  for (const auto& status :
       by_ranks(2, [](IoRanks& ranks) { return ranks.agree(Status(data_error("EIO"))); }))
    CHECK(status->error().message == "EIO");
  for (const auto& status : by_ranks(2, [](IoRanks& ranks) { return ranks.agree(Result<int>(7)); }))
    CHECK(**status == 7);
}

TEST_CASE("ranks that run something else are refused, those of a host counted") {
  const auto refused = by_ranks(2, [](IoRanks& ranks) {
    return ranks.meet(ranks.rank() == 0 ? "--reps 1" : "--reps 2", "");
  });
  CHECK(refused[0]->error().message == "rank 1: it runs \"--reps 2\", rank 0 \"--reps 1\"");
  CHECK(refused[1]->error().message == refused[0]->error().message);
  const auto met =
      by_ranks(3, [](IoRanks& ranks) { return ranks.meet("io", ranks.rank() == 1 ? "a" : "b"); });
  CHECK(**met[0] == 2);
  CHECK(**met[1] == 1);
}

TEST_CASE("a line that all ranks say stands once, others with the rank's name") {
  for (const auto& lines : by_ranks(2, [](IoRanks& ranks) {
         return ranks.exchange_lines(ranks.rank() == 0 ? std::vector<std::string>{"all"}
                                                       : std::vector<std::string>{"one", "all"});
       })) {
    CHECK(*lines == std::vector<std::string>{"all", "rank 1: one"});
  }
}

TEST_CASE("plans arrive as they were told, paths that are no UTF-8 excepted") {
  for (const auto& plans : by_ranks(2, [](IoRanks& ranks) {
         IoTarget target;
         target.path = "/d\xff";
         const IoRankPlan plan{{ranks.name(ranks.rank()), {}, {target}}, {"io/a"}};
         return ranks.exchange_plans(plan);
       })) {
    REQUIRE(plans->size() == 2);
    CHECK(plans->back().rank.name == "rank 1");
    CHECK(plans->back().rank.targets.front().path == "/d\xef\xbf\xbd");
    CHECK(plans->front().tests == std::vector<std::string>{"io/a"});
  }
}

// One of two ranks, each a process, over a socket: ranks that fork must not be threads, whose
// children hold each other's pipes open.
class SocketRank final : public Ranks {
 public:
  SocketRank(int socket, std::size_t rank) : socket_(socket), rank_(rank) {}

  std::size_t count() const override { return 2; }
  std::size_t rank() const override { return rank_; }
  std::string name(std::size_t rank) const override { return "rank " + std::to_string(rank); }
  bool owns(std::int64_t) const override { return false; }
  void tell(Bytes message) override { send_sized(message); }
  std::vector<std::byte> hear() override { return receive_sized(0); }
  void send(Bytes bytes) override {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::write(socket_, bytes.data() + at, bytes.size() - at);
      if (sent <= 0) std::_Exit(1);
      at += static_cast<std::size_t>(sent);
    }
  }
  void receive(std::size_t, std::span<std::byte> bytes) override {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t got = ::read(socket_, bytes.data() + at, bytes.size() - at);
      if (got <= 0) std::_Exit(1);
      at += static_cast<std::size_t>(got);
    }
  }

 private:
  int socket_;
  std::size_t rank_;
};

// What step(ranks) gives on rank 0; on rank 1, in a process of its own, is_right(it) must hold.
template <typename Step, typename IsRight>
auto by_processes(const Step& step, const IsRight& is_right) {
  int sockets[2] = {};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(sockets[0]);
    SocketRank one(sockets[1], 1);
    ::_exit(is_right(step(one)) ? 0 : 1);
  }
  ::close(sockets[1]);
  SocketRank zero(sockets[0], 0);
  auto given = step(zero);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  ::close(sockets[0]);
  CHECK(status == 0);
  return given;
}

// A pass of one process that reads so many bytes.
ProcessWork work_of(std::uint64_t bytes) {
  return [bytes](Worker& worker) -> Status {
    HDB_TRY(worker.begin());
    worker.lap(bytes);
    worker.end();
    return worker.check_sum(bytes, bytes, "bytes");
  };
}

TEST_CASE("rank 0 has all ranks' figures, by its own clock") {
  using Given = Result<std::vector<ProcessFigures>>;
  const std::uint64_t begin_ns = monotonic_ns();
  const Given given = by_processes(
      [](Ranks& job) {
        IoRanks ranks(&job);
        return ranks.run(2, 1, work_of(10 + ranks.rank()));
      },
      [](const Given& other) { return other.ok() && other->size() == 2; });
  REQUIRE(given.ok());
  REQUIRE(given->size() == 4);
  CHECK((*given)[1].bytes == 10);
  CHECK((*given)[2].bytes == 11);
  CHECK((*given)[3].checked);
  // Here the clocks are one.
  constexpr std::uint64_t kApart = 1'000'000'000;
  for (const ProcessFigures& one : *given) {
    CHECK(one.begin_ns + kApart > begin_ns);
    CHECK(one.end_ns < monotonic_ns() + kApart);
  }
}

TEST_CASE("what fails before the start or after it on one rank ends the pass on all") {
  using Given = Result<std::vector<ProcessFigures>>;
  for (const bool before : {true, false}) {
    const auto fails = [before](Worker& worker) -> Status {
      if (before) return data_error("/x: gone");
      HDB_TRY(worker.begin());
      worker.end();
      return data_error("/x: gone");
    };
    const auto is_named = [](const Given& given) {
      return !given.ok() && given.error().message == "rank 1: /x: gone";
    };
    CHECK(is_named(by_processes(
        [&](Ranks& job) {
          IoRanks ranks(&job);
          return ranks.run(1, 1, ranks.rank() == 0 ? work_of(1) : ProcessWork(fails));
        },
        is_named)));
  }
}

TEST_CASE("a run of two ranks has their total, and each one's figure") {
  const ScratchDirectory place;
  const Result<IoRun> all = by_processes(
      [&](Ranks& job) {
        IoOptions options;
        options.targets = {place.path()};
        options.quick = true;
        options.tests = "hcount|set/vector:tiny";
        options.reps = 2;
        return run_io(
            options, [](std::size_t, std::size_t, std::string_view) { return true; }, &job);
      },
      [](const Result<IoRun>& other) { return other.ok(); });
  REQUIRE(all.ok());
  REQUIRE(all->ranks.size() == 2);
  CHECK(all->ranks[1].targets.front().path == place.path());
  REQUIRE(all->results.size() >= 2);
  for (const IoResult& result : all->results) {
    CHECK(result.name.ends_with("/processes:1/ranks:2"));
    CHECK(result.rank_medians.size() == 2);
    CHECK(rank_spread_of(result).has_value());
  }
  CHECK(std::filesystem::is_empty(place.path()));
}

TEST_CASE("one rank's missing directory ends the run of both, by its name") {
  const ScratchDirectory place;
  testing::Mailboxes boxes(2);
  const auto error_of = [&](std::size_t rank) {
    IoOptions options;
    options.targets = {rank == 0 ? place.path() : "/nowhere"};
    options.quick = true;
    testing::ThreadRank one(boxes, rank, testing::Sharing::kRoundRobin);
    const auto run =
        run_io(options, [](std::size_t, std::size_t, std::string_view) { return true; }, &one);
    return run.ok() ? std::string() : run.error().message;
  };
  std::string others;
  std::thread other([&] { others = error_of(1); });
  CHECK(error_of(0) == "rank 1: /nowhere: No such file or directory");
  other.join();
  CHECK(others == "rank 1: /nowhere: No such file or directory");
}

}  // namespace
}  // namespace hdbench::bench

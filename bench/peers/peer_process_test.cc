#include "bench/peers/peer_process.h"

#include <sched.h>

#include <chrono>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

const std::atomic<bool> kNeverStopped{false};

Result<std::unique_ptr<PeerProcess>> shell(const std::string& script,
                                           const std::atomic<bool>& stop = kNeverStopped) {
  return PeerProcess::start({"sh", "-c", script}, stop);
}

TEST_CASE("a program that does not exist is a usage error that names it") {
  const auto process = PeerProcess::start({"/nowhere/python"}, kNeverStopped);
  REQUIRE_FALSE(process.ok());
  CHECK(process.error().kind == ErrorKind::kUsage);
  CHECK(process.error().message == "/nowhere/python: No such file or directory");
}

TEST_CASE("each line is answered by a line") {
  const auto process = shell("echo ready; while read line; do echo \"got $line\"; done");
  REQUIRE(process.ok());
  CHECK((*process)->read_line().value() == "ready");
  CHECK((*process)->ask("one").value() == "got one");
  CHECK((*process)->ask("").value() == "got ");
}

TEST_CASE("two lines that come at once are two answers") {
  const auto process = shell("printf 'a\\nb\\n'; read line");
  REQUIRE(process.ok());
  CHECK((*process)->read_line().value() == "a");
  CHECK((*process)->read_line().value() == "b");
}

TEST_CASE("a pinned thread's process may use every processor, and the thread stays pinned") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
  const auto process = shell("env -u OMP_NUM_THREADS nproc");
  cpu_set_t after;
  REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
  sched_setaffinity(0, sizeof(before), &before);
  REQUIRE(process.ok());
  CHECK((*process)->read_line().value() == std::to_string(CPU_COUNT(&before)));
  CHECK(CPU_EQUAL(&after, &one));
}

TEST_CASE("a process that ends says how and what it said last") {
  const auto process = shell("echo first >&2; echo 'no module named duckdb' >&2; exit 3");
  REQUIRE(process.ok());
  CHECK((*process)->read_line().error().message ==
        "the worker ended with status 3: no module named duckdb");
  CHECK((*process)->ask("more").error().message ==
        "the worker ended with status 3: no module named duckdb");
}

TEST_CASE("a process that is killed says by which signal") {
  const auto process = shell("kill -9 $$");
  REQUIRE(process.ok());
  CHECK((*process)->read_line().error().message == "the worker ended by signal 9");
}

TEST_CASE("its directory for temporary files goes with it, however it ends") {
  const std::string fill = "mkdir $TMPDIR/deep; echo 1 > $TMPDIR/deep/file; echo $TMPDIR; ";
  std::atomic<bool> stop{false};
  for (const char* end : {"read line", "exit 3", "kill -9 $$", "exec sleep 60"}) {
    std::filesystem::path folder;
    {
      const auto process = shell(fill + end, stop);
      REQUIRE(process.ok());
      folder = (*process)->read_line().value();
      CHECK(folder.filename().string().starts_with("hdbench-peer-"));
      CHECK(folder.parent_path() == std::filesystem::temp_directory_path());
      CHECK(std::filesystem::exists(folder / "deep" / "file"));
      stop = std::string_view(end).starts_with("exec");  // as Ctrl-C does
    }
    CHECK_FALSE(std::filesystem::exists(folder));
  }
}

TEST_CASE("waiting ends when it is told to stop, and a deaf process is ended") {
  std::atomic<bool> stop{true};
  const auto start = std::chrono::steady_clock::now();
  {
    const auto process = shell("sleep 60", stop);
    REQUIRE(process.ok());
    CHECK((*process)->read_line().error().message == "interrupted");
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

}  // namespace
}  // namespace hdbench::bench

// A worker that only pretends: a shell script in the place of worker.py.
#include "bench/peers/peer_worker.h"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "bench/testing/pretended_worker.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

const std::atomic<bool> kNotStopped{false};

struct Script : PretendedWorker {
  using PretendedWorker::PretendedWorker;

  std::unique_ptr<PeerWorker> start() const {
    auto worker = PeerWorker::start(
        {python().string(), script(), "duckdb", "/db", 2, "/q/paper.q", 0.25}, kNotStopped);
    REQUIRE(worker.ok());
    return std::move(*worker);
  }
};

TEST_CASE("a worker is told its engine, database and threads, and says what it is") {
  const Script script(
      R"(echo "{\"version\":\"$1 $2 $3 $4 $6\",\"codes\":\"enum\",)"
      R"(\"loaded\":\"so\",\"forms\":{\"7\":\"SELECT 7\"},\"startup_ms\":{\"7\":1.5},)"
      R"(\"unread\":{\"7\":\"$(basename "$5")\"}}"; read l)");
  const auto hello = script.start()->hello();
  REQUIRE(hello.ok());
  CHECK(hello->version == "duckdb /db 2 /q/paper.q 0.25");
  CHECK(hello->codes == "enum");
  CHECK(hello->loaded == "so");
  CHECK(hello->forms == std::map<int, std::string>{{7, "SELECT 7"}});
  CHECK(hello->startup_ms == std::map<int, double>{{7, 1.5}});
  const std::string own = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  CHECK(hello->unread == std::map<int, std::string>{{7, own}});
  // It does not say what it holds.
  CHECK(hello->memory.held_bytes == 0);
  CHECK_FALSE(hello->memory.available_bytes);
}

TEST_CASE("each request names what is wanted of which query") {
  const Script script(R"(read l; [ "$l" = '{"do":"verify","query":7}' ] || exit 1; )"
                      R"(echo '{"rows":5,"checksum":"00000000000000ff"}'; )"
                      R"(read l; [ "$l" = '{"do":"run","query":8}' ] || exit 2; )"
                      R"(echo '{"ms":2.5,"cpu_ms":4,"rows":6}'; read l)");
  const auto worker = script.start();
  const auto proof = worker->verify(7);
  REQUIRE(proof.ok());
  CHECK(proof->rows == 5);
  CHECK(proof->checksum == 0xff);
  CHECK_FALSE(proof->difference);
  const auto time = worker->run(8);
  REQUIRE(time.ok());
  CHECK(time->real_ms == 2.5);
  CHECK(time->cpu_ms == 4);
  CHECK(time->rows == 6);
}

TEST_CASE("a difference and what is held come with the answer") {
  const Script script(R"(read l; echo '{"rows":5,"checksum":"ff","difference":"4 rows",)"
                      R"("held_bytes":30,"mapped_bytes":20,"available_bytes":10}'; read l)");
  const auto proof = script.start()->verify(1);
  REQUIRE(proof.ok());
  CHECK(proof->difference == "4 rows");
  CHECK(proof->memory.held_bytes == 30);
  CHECK(proof->memory.mapped_bytes == 20);
  CHECK(proof->memory.available_bytes == 10);
}

TEST_CASE("what is no object, says an error or lacks a field is an error that shows it") {
  struct Case {
    const char* answer;
    const char* words;
  };
  for (const Case& one : {Case{"[1]", "the worker said \"[1]\", a JSON object is expected"},
                          Case{R"({"error":"out of memory"})", "out of memory"},
                          Case{R"({"ms":1,"cpu_ms":2})", "rows"},
                          Case{R"({"ms":"1","cpu_ms":2,"rows":3})", "number"}}) {
    const Script script(std::string("read l; echo '") + one.answer + "'; read l");
    const auto time = script.start()->run(1);
    REQUIRE_FALSE(time.ok());
    CHECK(time.error().kind == ErrorKind::kData);
    CHECK(time.error().message.find(one.words) != std::string::npos);
  }
}

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

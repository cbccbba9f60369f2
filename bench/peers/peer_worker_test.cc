// A worker that only pretends: a shell script in the place of worker.py.
#include "bench/peers/peer_worker.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

const std::atomic<bool> kNotStopped{false};

// Its "Python" is the shell: `sh -B SCRIPT` and the worker's arguments.
struct Script {
  explicit Script(const std::string& text)
      : folder(std::filesystem::temp_directory_path() /
               ("hdbench_peer_worker_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "sh") << "#!/bin/sh\nshift; exec sh \"$@\"\n";
    std::filesystem::permissions(folder / "sh", std::filesystem::perms::owner_all);
    std::ofstream(folder / "worker") << text;
  }
  ~Script() { std::filesystem::remove_all(folder); }

  std::unique_ptr<PeerWorker> start() const {
    auto worker = PeerWorker::start(
        {(folder / "sh").string(), folder / "worker", "duckdb", "/db", 2, "/q/paper.q", 0.25},
        kNotStopped);
    REQUIRE(worker.ok());
    return std::move(*worker);
  }

  std::filesystem::path folder;
};

TEST_CASE("a Python that does not exist is a usage error") {
  const auto worker = PeerWorker::start(
      {"/nowhere/python", "worker.py", "duckdb", "/db", 1, "/q/paper.q", 0}, kNotStopped);
  REQUIRE_FALSE(worker.ok());
  CHECK(worker.error().kind == ErrorKind::kUsage);
}

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

TEST_CASE("a worker that ends says how") {
  const Script script("echo 'no memory' >&2; exit 3");
  CHECK(script.start()->hello().error().message == "the worker ended with status 3: no memory");
}

}  // namespace
}  // namespace hdbench::bench

// The peers' cells with a worker that only pretends.
#include "bench/peers/peer_cells.h"

#include "bench/testing/pretended_worker.h"
#include "engine/base/catch.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

const std::atomic<bool> kNever{false};

struct Pretended : PretendedWorker {
  explicit Pretended(const std::string& answers) : PretendedWorker(answers) {
    options.engines = {"duckdb"};
    options.python = python().string();
    options.script = script();
    auto parsed = one_query("select from quote");
    REQUIRE(parsed.ok());
    queries = std::move(*parsed);
  }

  PeerOptions options;
  std::vector<ListedQuery> queries;
};

const std::string kHello =
    R"(echo '{"version":"9","codes":"enum","loaded":"so","forms":{"1":"SELECT 1"},)"
    R"("startup_ms":{"1":0.5},"unread":{"1":"statistics"}}'; )";
const std::string kRight = kHello + R"(read l; echo '{"rows":5,"checksum":"00000000000000ff"}'; )" +
                           R"(while read l; do echo '{"ms":2.5,"cpu_ms":4,"rows":5}'; done)";

// Loads the peers, holds their results against the ledger's, and times them once.
void run_once(PeerCells& peers) {
  ChecksumLedger ledger;
  REQUIRE(peers.load().ok());
  REQUIRE(peers.verify(ledger).ok());
  REQUIRE(peers.repeat().ok());
}

TEST_CASE("no engines are no peers, an unknown one and a missing Python are usage errors") {
  CHECK(peer_options("", "").value().engines.empty());
  CHECK(peer_options("duckdb,oracle", "").error().message ==
        "--peers: unknown engine 'oracle': known are duckdb, polars, chdb, datafusion");
  CHECK(peer_options("duckdb", "/nowhere/python").error().message ==
        "--peers: no /nowhere/python: bench/peers/run DB installs the peers and runs them");
}

TEST_CASE("the peers know the queries of paper.q, aggregates.q and desk.q, and no others") {
  CHECK(peer_query_file({})->filename() == "paper.q");
  for (const char* name : {"paper.q", "aggregates.q", "desk.q"}) {
    const auto all = queries_of_file(*find_query_file(name), std::nullopt);
    REQUIRE(all.ok());
    CHECK(peer_query_file(*all)->filename() == name);
    CHECK(peer_query_file(*queries_of_file(*find_query_file(name), 3))->filename() == name);
  }
  const Pretended pretended("");
  CHECK(peer_query_file(pretended.queries).error().message ==
        "--peers: the peers know only the queries of paper.q, those of aggregates.q, or those of "
        "desk.q: give one of these");
}

TEST_CASE("a cell has a time a repetition, the form and the reference's checksum") {
  const Pretended pretended(kRight);
  PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
  run_once(peers);
  REQUIRE(peers.repeat().ok());
  REQUIRE(peers.cells().size() == 1);
  const CellResult& cell = peers.cells().front();
  CHECK(cell.name() == "Q01/engine:duckdb/medium:dram/layout:flat/threads:2");
  CHECK(cell.real_ms == std::vector<double>{2.5, 2.5});
  CHECK(cell.rows_out == 5);
  CHECK(cell.checksum == 0xff);
  CHECK(cell.peer->form == "SELECT 1");
  CHECK(cell.peer->version == "9");
  CHECK(cell.peer->startup_ms == 0.5);
  CHECK(cell.peer->unread == "statistics");
  CHECK(peers.same_results().ok());
  CHECK(peers.left_out().empty());
}

TEST_CASE("each worker is alone: started for its turn and ended with it") {
  // Each leaves a file while it lives.
  const Pretended pretended(
      R"(touch "$(dirname "$0")/$1"; trap 'rm "$(dirname "$0")/'$1'"' EXIT; )" + kRight);
  PeerOptions options = pretended.options;
  options.engines = {"duckdb", "polars"};
  PeerCells peers(options, "/db", {1}, pretended.queries, kNever);
  const auto lives = [&](const char* engine) {
    return std::filesystem::exists(pretended.folder / engine);
  };
  ChecksumLedger ledger;
  REQUIRE(peers.turn_count() == 2);
  for (const std::size_t turn : {0, 1}) {
    REQUIRE(peers.load(turn).ok());
    CHECK(lives("duckdb") == (turn == 0));
    CHECK(lives("polars") == (turn == 1));
    REQUIRE(peers.verify(ledger, turn).ok());
    REQUIRE(peers.repeat(turn).ok());
    peers.end(turn);
  }
  CHECK_FALSE(lives("polars"));
  for (const CellResult& cell : peers.cells()) CHECK(cell.real_ms.size() == 1);
  CHECK(peers.left_out().empty());
}

TEST_CASE("a worker's memory is what it held loaded and at most, and the lowest that it saw") {
  const Pretended pretended(
      R"(echo '{"version":"9","codes":"enum","loaded":"so","forms":{},"held_bytes":100,)"
      R"("mapped_bytes":7,"available_bytes":900}'; )"
      R"(read l; echo '{"rows":5,"checksum":"ff","held_bytes":300,"available_bytes":500}'; )"
      R"(read l; echo '{"ms":2,"cpu_ms":4,"rows":5,"held_bytes":200,"available_bytes":600}')");
  PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
  run_once(peers);
  REQUIRE(peers.memory().size() == 1);
  const PeerWorkerMemory memory = peers.memory().front();
  CHECK(memory.engine == "duckdb");
  CHECK(memory.threads == 2);
  CHECK(memory.loaded_bytes == 100);
  CHECK(memory.held_max_bytes == 300);
  CHECK(memory.mapped_max_bytes == 7);
  CHECK(peers.lowest().bytes() == 500);
}

TEST_CASE("a checksum that is not hdbench's is a mismatch") {
  const Pretended pretended(kRight);
  PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
  ChecksumLedger ledger;
  REQUIRE(ledger.add(1, "Q01/hdbench's", 1).ok());
  REQUIRE(peers.load().ok());
  CHECK(peers.verify(ledger).error().kind == ErrorKind::kMismatch);
}

TEST_CASE("a result that differs is its cell's error and a mismatch at the end") {
  const Pretended pretended(
      kHello + R"(read l; echo '{"rows":5,"checksum":"ff","difference":"4 rows"}'; read l)");
  PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
  run_once(peers);
  CHECK(peers.cells().front().error == "the result differs: 4 rows");
  CHECK(peers.cells().front().real_ms.empty());
  CHECK(peers.same_results().error().kind == ErrorKind::kMismatch);
}

TEST_CASE("a peer that cannot be loaded, or dies, has errors, and the others go on") {
  for (const std::string& answers :
       {std::string("echo '{\"error\":\"no package\"}'"), kHello + "read l; exit 1"}) {
    const Pretended pretended(answers);
    PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
    run_once(peers);
    CHECK(peers.cells().front().error);
    CHECK(peers.left_out().size() == 1);
    CHECK(peers.same_results().ok());
  }
}

TEST_CASE("a query that an engine cannot say has its reason, and the others their times") {
  Pretended pretended(kHello + R"(read l; echo '{"rows":5,"checksum":"ff"}'; )" +
                      R"(read l; echo '{"error":"there is no such join"}'; )" +
                      R"(read l; echo '{"ms":2.5,"cpu_ms":4,"rows":5}'; read l; exit 1)");
  pretended.queries = *queries_of_file(*find_query_file("desk.q"), std::nullopt);
  pretended.queries.erase(pretended.queries.begin() + 2, pretended.queries.end());
  PeerCells peers(pretended.options, "/db", {2}, pretended.queries, kNever);
  run_once(peers);
  CHECK(peers.cells()[0].real_ms == std::vector<double>{2.5});
  CHECK(peers.cells()[1].error == "there is no such join");
  CHECK(peers.cells()[1].real_ms.empty());
  CHECK(peers.left_out() == std::vector<std::string>{"duckdb: there is no such join"});
  CHECK(peers.same_results().ok());
}

}  // namespace
}  // namespace hdbench::bench

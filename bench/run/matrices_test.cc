// Runs of a small generated database, under two names, as one result.
#include "bench/run/matrices.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "datagen/generate.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

struct PlannedRun {
  PlannedRun()
      : root(std::filesystem::temp_directory_path() /
             ("hdbench_matrices_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(root);
    const std::filesystem::path database = root / "db";
    REQUIRE(datagen::generate(database, {.scale = 1e-5, .parted = "col3", .threads = 1}).ok());
    for (const char* name : {"one", "two"}) {
      RunPart part;
      part.dataset = plan.datasets.size();
      part.session.database = database;
      part.session.ceiling_bytes = 1 << 20;
      part.session.stop = &stop;
      part.axes = {{"medium", "dram"}, {"layout", "partitioned"}, {"attr", "none"}, {"mode", "4.0"},
                   {"threads", "1"},   {"cache", "warm"},         {"limit", "0"}};
      part.query_file = std::filesystem::path(HDBENCH_SOURCE_DIR) / "queries" / "paper.q";
      plan.datasets.push_back({name, database, {}});
      plan.parts.push_back(std::move(part));
    }
    plan.repetitions = exactly(1);
    plan.filter = *NamePattern::make("--benchmark_filter", "Q0[12]/");
  }
  ~PlannedRun() { std::filesystem::remove_all(root); }

  std::filesystem::path root;
  std::atomic<bool> stop{false};
  RunPlan plan;
};

TEST_CASE("matrices over two databases are one result") {
  PlannedRun run;
  Matrices matrices(run.plan);
  REQUIRE(matrices.open().ok());
  CHECK(matrices.placement_count() == 2);
  CHECK(matrices.cell_names().size() == 4);
  CHECK(matrices.scope().need);
  std::size_t kept = 0;
  REQUIRE(matrices.run({{}, [&](const Visit&) { ++kept; }}).ok());
  CHECK(kept == 2);
  const RunOutcome outcome = matrices.outcome();
  REQUIRE(outcome.cells.size() == 4);
  for (const CellResult& cell : outcome.cells) CHECK(cell.real_ms.size() == 1);
  REQUIRE(outcome.context.datasets.size() == 2);
  CHECK(outcome.context.datasets[1].name == "two");
  CHECK_FALSE(outcome.context.cpu_tuning.empty());
}

TEST_CASE("a run does not go on from one that has cells which it would lose") {
  PlannedRun run;
  Matrices whole(run.plan);
  REQUIRE(whole.open().ok());
  REQUIRE(whole.run({}).ok());
  SavedRun saved{"saved.json", whole.outcome().context, whole.outcome().cells};
  run.plan.filter = *NamePattern::make("--benchmark_filter", "Q01/");
  Matrices some(run.plan);
  REQUIRE(some.open().ok());
  const Status refused = some.resume(std::move(saved));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kUsage);
}

TEST_CASE("a database that is not there is an error before anything runs") {
  PlannedRun run;
  run.plan.parts.back().session.database = run.root / "absent";
  CHECK_FALSE(Matrices(run.plan).open().ok());
}

}  // namespace
}  // namespace hdbench::bench

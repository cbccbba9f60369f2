#include "bench/ranks/rank_job.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a process that no launcher has started has no job") {
  const auto job = RankJob::join();
  REQUIRE(job.ok());
  CHECK(*job == nullptr);
  CHECK(RankJob::of_process() == nullptr);
}

}  // namespace
}  // namespace hdbench::bench

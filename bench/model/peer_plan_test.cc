#include "bench/model/peer_plan.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kPlanGB = 1'000'000'000;

PeerDemand all_four(std::uint64_t table_bytes) {
  return {{"duckdb", "polars", "chdb", "datafusion"}, 1, table_bytes, kPlanGB / 2, 5};
}

TEST_CASE("no engines and an empty table need nothing") {
  const auto plan = plan_peers({{}, 1, 0, 0, 5}, kPlanGB);
  REQUIRE(plan.ok());
  CHECK(plan->needed_bytes == 0);
}

TEST_CASE("the largest worker is needed beside hdbench, whatever the thread counts") {
  PeerDemand demand = all_four(kPlanGB);
  const auto plan = plan_peers(demand, 14 * kPlanGB);
  REQUIRE(plan.ok());
  // 0.3 and 1.9 tables of chdb's, 3.1 of hdbench's, 0.5 of the ceilings.
  CHECK(plan->needed_bytes == 5'800'000'000);
  CHECK(to_text(*plan) ==
        "one after another: about 5.8 GB are needed, 14.0 GB are available; about 3 min beside "
        "hdbench's own cells");
  demand.thread_counts = 2;
  CHECK(plan_peers(demand, 14 * kPlanGB)->needed_bytes == plan->needed_bytes);
}

TEST_CASE("what cannot fit is refused with what was found and what is needed") {
  const auto plan = plan_peers(all_four(kPlanGB), 5 * kPlanGB);
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.error().kind == ErrorKind::kUsage);
  CHECK(plan.error().message ==
        "--peers: 5.0 GB of memory are available, about 5.8 GB are needed one after another");
}

TEST_CASE("where the kernel does not say what is available nothing is refused") {
  const auto plan = plan_peers(all_four(100 * kPlanGB), std::nullopt);
  REQUIRE(plan.ok());
  CHECK(to_text(*plan).find("what is available is not known") != std::string::npos);
}

}  // namespace

}  // namespace hdbench::bench

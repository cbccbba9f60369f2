#include "bench/model/peer_plan.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kGB = 1'000'000'000;

PeerDemand all_four(std::uint64_t table_bytes) {
  return {{"duckdb", "polars", "chdb", "datafusion"}, 1, table_bytes, kGB / 2, 5};
}

TEST_CASE("no engines and an empty table need next to nothing") {
  const auto plan = plan_peers({{}, 1, 0, 0, 5}, kGB);
  REQUIRE(plan.ok());
  CHECK(plan->scheme == PeerScheme::kTogether);
  CHECK(plan->together_bytes == 0);
  CHECK(plan_peers(all_four(0), 2 * kGB)->scheme == PeerScheme::kOneAfterAnother);
  CHECK(plan_peers(all_four(0), 3 * kGB)->scheme == PeerScheme::kTogether);
}

TEST_CASE("workers that leave a quarter of the memory free stand together") {
  const auto plan = plan_peers(all_four(kGB), 14 * kGB);
  REQUIRE(plan.ok());
  // 1.2 of the workers, 5.9 tables of theirs, 3.1 of hdbench's, 0.5 of the ceilings.
  CHECK(plan->together_bytes == 10'700'000'000);
  CHECK(plan->alone_bytes == 5'800'000'000);
  CHECK(plan->scheme == PeerScheme::kOneAfterAnother);
  CHECK(plan_peers(all_four(kGB), 15 * kGB)->scheme == PeerScheme::kTogether);
  CHECK(
      to_text(*plan) ==
      "in memory one after another: about 10.7 GB would be needed together, 14.0 GB are available; "
      "about 3 min beside hdbench's own cells");
}

TEST_CASE("what stands together is said with what it needs") {
  const auto plan = plan_peers({{"polars"}, 1, kGB, 0, 5}, 23 * kGB);
  REQUIRE(plan.ok());
  CHECK(to_text(*plan) ==
        "in memory together: about 4.4 GB are needed, 23.0 GB are available; about 45 s beside "
        "hdbench's own "
        "cells");
}

TEST_CASE("each thread count has workers of its own, but one after another only one of them") {
  PeerDemand demand = all_four(kGB);
  demand.thread_counts = 2;
  const auto plan = plan_peers(demand, 16 * kGB);
  REQUIRE(plan.ok());
  CHECK(plan->together_bytes == 17'800'000'000);
  CHECK(plan->alone_bytes == 5'800'000'000);
  CHECK(plan->scheme == PeerScheme::kOneAfterAnother);
}

TEST_CASE("what cannot fit is refused with what was found and what is needed") {
  const auto plan = plan_peers(all_four(kGB), 5 * kGB);
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.error().kind == ErrorKind::kUsage);
  CHECK(plan.error().message ==
        "--peers: 5.0 GB of memory are available, about 5.8 GB are needed even one after another");
}

TEST_CASE("where the kernel does not say what is available nothing is refused") {
  const auto plan = plan_peers(all_four(100 * kGB), std::nullopt);
  REQUIRE(plan.ok());
  CHECK(plan->scheme == PeerScheme::kOneAfterAnother);
  CHECK(to_text(*plan).find("what is available is not known") != std::string::npos);
}

}  // namespace
}  // namespace hdbench

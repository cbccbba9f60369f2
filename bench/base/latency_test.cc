#include "bench/base/latency.h"

#include <memory>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("no latencies have no percentile") {
  const auto counts = std::make_unique<LatencyCounts>();
  CHECK(counts->total() == 0);
  CHECK_FALSE(counts->mean());
  CHECK_FALSE(counts->percentile(0.5));
}

TEST_CASE("a percentile needs as many latencies as it is a part of") {
  const auto counts = std::make_unique<LatencyCounts>();
  for (int i = 0; i < 99; ++i) counts->add(10);
  CHECK(counts->percentile(0.9) == 10.0);
  CHECK_FALSE(counts->percentile(0.99));
  counts->add(10);
  CHECK(counts->percentile(0.99) == 10.0);
  CHECK_FALSE(counts->percentile(0.999));
}

TEST_CASE("percentiles are right within a bin's half") {
  const auto counts = std::make_unique<LatencyCounts>();
  for (std::uint64_t ns = 1; ns <= 1'000'000; ++ns) counts->add(ns);
  for (const double part : {0.5, 0.9, 0.99, 0.999}) {
    CHECK(*counts->percentile(part) == Approx(part * 1e6).epsilon(0.009));
  }
  CHECK(counts->max() == 1'000'000);
}

TEST_CASE("the smallest and the largest value have a bin") {
  const auto counts = std::make_unique<LatencyCounts>();
  counts->add(0);
  counts->add(UINT64_MAX);
  CHECK(counts->percentile(0.5) == 0.0);
  CHECK(counts->max() == UINT64_MAX);
}

TEST_CASE("counts of processes add up") {
  const auto one = std::make_unique<LatencyCounts>();
  const auto other = std::make_unique<LatencyCounts>();
  for (int i = 0; i < 50; ++i) one->add(5);
  for (int i = 0; i < 50; ++i) other->add(50);
  one->add(*other);
  CHECK(one->total() == 100);
  CHECK(one->percentile(0.5) == 5.0);
  CHECK(one->percentile(0.9) == 50.0);
  CHECK(one->max() == 50);
  CHECK(one->mean() == 27.5);
}

}  // namespace
}  // namespace hdbench::bench

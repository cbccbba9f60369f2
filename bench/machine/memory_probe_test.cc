#include "bench/machine/memory_probe.h"

#include "engine/base/catch.h"
#include "engine/base/units.h"

namespace hdbench::bench {
namespace {

Host host_with(std::size_t cpus, std::uint64_t memory_gib, std::vector<CpuCache> caches) {
  Host host;
  host.cpus = cpus;
  host.memory_bytes = memory_gib << 30;
  host.caches = std::move(caches);
  return host;
}

TEST_CASE(
    "the buffers are four times the last-level caches, 64 MiB a CPU, a 16th of memory at most") {
  CHECK(probe_bytes({}) == 256 * kMiB);
  const CpuCache first{1, "Data", 48 << 10, 1};
  CHECK(probe_bytes(host_with(2, 64, {first, {3, "Unified", 200 * kMiB, 2}})) == 800 * kMiB);
  // Eight CPUs with a cache for each four.
  CHECK(probe_bytes(host_with(8, 64, {first, {3, "Unified", 96 * kMiB, 4}})) == 768 * kMiB);
  // Two sockets of 300 MiB, and one cache for many CPUs.
  CHECK(probe_bytes(host_with(32, 1024, {{3, "Unified", 300 * kMiB, 16}})) == 2400 * kMiB);
  CHECK(probe_bytes(host_with(200, 1024, {{3, "Unified", 64 * kMiB, 200}})) == 12'800 * kMiB);
  CHECK(probe_bytes(host_with(2, 2, {{3, "Unified", 200 * kMiB, 2}})) == 128 * kMiB);
}

void check_figures(const MemoryRound& round) {
  for (const double figure : {round.read_gb_s, round.write_gb_s, round.stream_gb_s, round.copy_gb_s,
                              round.gather_gb_s, round.gather_ns, round.chase_ns}) {
    CHECK(figure > 0);
    CHECK(figure < 1e7);
  }
  CHECK(round.slowest_share >= 0);
  CHECK(round.slowest_share <= 1);
}

TEST_CASE("every loop's answer is right, on one thread, several, and more than there are CPUs") {
  MemoryProbe probe(4 * kMiB);
  for (const std::size_t threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    for (int again = 0; again < 2; ++again) {
      const auto round = probe.measure(pool);
      REQUIRE(round.ok());
      check_figures(*round);
    }
  }
  probe.release();
  ThreadPool pool(2);
  CHECK(probe.measure(pool).ok());
  // Buffers of fewer blocks than threads are made larger.
  CHECK(MemoryProbe(1).measure(pool).ok());
}

TEST_CASE("memory that is not there is an error, and the next call is none the worse") {
  MemoryProbe probe(std::size_t{1} << 60);
  ThreadPool pool(2);
  const auto round = probe.measure(pool);
  REQUIRE_FALSE(round.ok());
  CHECK(round.error().kind == ErrorKind::kLimit);
  CHECK_FALSE(probe.measure(pool).ok());
}

}  // namespace
}  // namespace hdbench::bench

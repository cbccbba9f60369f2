#include "bench/machine/memory_probe.h"

#include "engine/base/bytes.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

Host host_with(std::size_t cpus, std::uint64_t memory_gib, std::vector<CpuCache> caches) {
  Host host;
  host.cpus = cpus;
  host.memory_bytes = memory_gib << 30;
  host.caches = std::move(caches);
  return host;
}

std::uint64_t link_all(std::vector<std::uint64_t>& words) {
  return link_lines(words, 0, words.size());
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

TEST_CASE("the walked lines are a power of two, the rest keeps its indexes") {
  CHECK(walked_lines(7) == 0);
  CHECK(walked_lines(8 * 1000) == 512);
  std::vector<std::uint64_t> words(8 * 1000);
  std::uint64_t sum = 0;
  CHECK(link_all(words) > 0);
  for (const std::uint64_t word : words) sum += word;
  CHECK(link_all(words) == sum);
  CHECK(words[8 * 512] == 8 * 512);
  CHECK(words[3] == 3);
}

TEST_CASE("both walks come to every line once before they come to any again") {
  for (const std::size_t lines : {1u, 2u, 64u, 4096u}) {
    std::vector<std::uint64_t> words(8 * lines);
    link_all(words);
    std::vector<bool> seen(lines);
    for (std::size_t hops = 0; hops < lines; ++hops) {
      const std::uint64_t line = chase(words, 0, hops);
      REQUIRE_FALSE(seen[line]);
      seen[line] = true;
    }
    CHECK(chase(words, 0, lines) == 0);
    // Each line's successor once: all numbers below `lines`.
    CHECK(gather(words, 0, lines) == lines * (lines - 1) / 2);
  }
}

TEST_CASE("lines that are linked in parts are linked as in one go") {
  std::vector<std::uint64_t> whole(8 * 100), parts(8 * 100);
  const std::uint64_t sum = link_all(whole);
  CHECK(link_lines(parts, 0, 333) + link_lines(parts, 333, 800) == sum);
  CHECK(parts == whole);
}

TEST_CASE("what the walks find in memory is what they must find") {
  std::vector<std::uint64_t> words(8 * 3000);
  link_all(words);
  for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 5000u}) {
    for (const std::size_t number : {0u, 1u, 77u}) {
      const std::uint64_t from = start_line(number, 2048);
      REQUIRE(from < 2048);
      CHECK(chase(words, from, count) == chase_expected(2048, from, count));
      CHECK(gather(words, from, count) == gather_expected(2048, from, count));
    }
  }
}

}  // namespace
}  // namespace hdbench::bench

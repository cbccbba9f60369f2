#include <vector>

#include "bench/machine/memory_probe.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::uint64_t link_all(std::vector<std::uint64_t>& words) {
  return link_lines(words, 0, words.size());
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

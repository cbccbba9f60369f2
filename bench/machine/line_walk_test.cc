#include "bench/machine/line_walk.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("less than a line has nothing to walk, and is its own indexes") {
  CHECK(walked_lines(0) == 0);
  CHECK(walked_lines(7) == 0);
  std::vector<std::uint64_t> words(5);
  CHECK(link_lines(words) == 0 + 1 + 2 + 3 + 4);
}

TEST_CASE("one line is its own successor") {
  std::vector<std::uint64_t> words(8);
  link_lines(words);
  CHECK(words[0] == 0);
  CHECK(chase(words, 3) == 0);
  CHECK(gather(words, 3) == 0);
}

TEST_CASE("the walked lines are a power of two, the rest keeps its indexes") {
  CHECK(walked_lines(8 * 1000) == 512);
  std::vector<std::uint64_t> words(8 * 1000);
  std::uint64_t sum = 0;
  CHECK(link_lines(words) > 0);
  for (const std::uint64_t word : words) sum += word;
  CHECK(link_lines(words) == sum);
  CHECK(words[8 * 512] == 8 * 512);
  CHECK(words[3] == 3);
}

TEST_CASE("both walks come to every line once before they come to any again") {
  for (const std::size_t lines : {1u, 2u, 64u, 4096u}) {
    std::vector<std::uint64_t> words(8 * lines);
    link_lines(words);
    std::vector<bool> seen(lines);
    for (std::size_t hops = 0; hops < lines; ++hops) {
      const std::uint64_t line = chase(words, hops);
      REQUIRE_FALSE(seen[line]);
      seen[line] = true;
    }
    CHECK(chase(words, lines) == 0);
    // Each line's successor once: all numbers below `lines`.
    CHECK(gather(words, lines) == lines * (lines - 1) / 2);
  }
}

TEST_CASE("what the walks find in memory is what they must find") {
  std::vector<std::uint64_t> words(8 * 3000);
  link_lines(words);
  for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 5000u}) {
    CHECK(chase(words, count) == chase_expected(2048, count));
    CHECK(gather(words, count) == gather_expected(2048, count));
  }
}

}  // namespace
}  // namespace hdbench

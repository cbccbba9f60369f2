#include "engine/kernel/selection.h"

#include <algorithm>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

TEST_CASE("no rows have no bits and touch nothing") {
  REQUIRE(count_bits(nullptr, 0) == 0);
  REQUIRE(count_words(nullptr, 0) == 0);
  REQUIRE(accessed_bytes({nullptr, 0}, 8) == 0);
}

TEST_CASE("bits and the lines that they touch are counted on every instruction set") {
  on_every_target([] {
    std::mt19937_64 random(1);
    // The last is more than the counters of a vector's bytes hold.
    for (const std::size_t rows : {1, 64, 65, 640, 1000, 3853, 130'500, 300'007}) {
      for (const int density : {0, 1, 6, 60}) {
        std::vector<std::uint64_t> bits(words_for(rows));
        std::size_t selected = 0;
        for (std::size_t row = 0; row < rows; ++row) {
          if (static_cast<int>(random() % 60) >= density) continue;
          bits[row / 64] |= std::uint64_t{1} << (row % 64);
          ++selected;
        }
        REQUIRE(count_bits(bits.data(), bits.size()) == selected);
        REQUIRE(count_words(bits.data(), bits.size()) ==
                bits.size() - static_cast<std::size_t>(
                                  std::count(bits.begin(), bits.end(), std::uint64_t{0})));
        for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
          std::size_t lines = 0;
          std::size_t next = 0;  // the first that is not counted
          for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t line = row * width / kLineBytes;
            if ((bits[row / 64] >> (row % 64) & 1) == 0 || line < next) continue;
            ++lines;
            next = line + 1;
          }
          const std::uint64_t most = rows * width;
          REQUIRE(accessed_bytes({bits.data(), rows}, width) ==
                  std::min<std::uint64_t>(lines * kLineBytes, most));
        }
      }
    }
  });
}

TEST_CASE("bits tell values that differ from those before them, and leave others as they were") {
  on_every_target([] {
    std::mt19937_64 random(3);
    for (const std::size_t rows : {0u, 1u, 2u, 63u, 64u, 65u, 128u, 130u, 5000u}) {
      for (const unsigned values : {1u, 2u, 1000u}) {
        std::vector<std::int64_t> some(rows + 1);
        for (auto& value : some) value = static_cast<std::int64_t>(random() % values) << 40;
        std::vector<std::uint64_t> bits(words_for(rows));
        std::vector<std::byte> expected(rows);
        for (std::size_t row = 0; row < rows; ++row) {
          const bool was_set = random() % 7 == 0;
          if (was_set) bits[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
          expected[row] = static_cast<std::byte>(was_set || some[row + 1] != some[row]);
        }
        note_changes(some.data() + 1, some[0], rows, bits.data());
        std::vector<std::byte> found(rows + 1, std::byte{9});
        bytes_of_bits(bits.data(), rows, found.data());
        REQUIRE(found.back() == std::byte{9});
        found.pop_back();
        REQUIRE(found == expected);
      }
    }
  });
}

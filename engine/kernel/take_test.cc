#include "engine/kernel/take.h"

#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

TEST_CASE("elements at the positions of set bits are packed in order") {
  on_every_target([] {
    std::mt19937_64 random(3);
    for (const std::size_t rows : {1u, 63u, 64u, 65u, 1000u, 65'536u}) {
      for (const unsigned percent : {0u, 1u, 30u, 100u}) {
        std::vector<std::uint64_t> bits(words_for(rows));
        std::vector<std::size_t> expected;
        for (std::size_t row = 0; row < rows; ++row) {
          if (random() % 100 >= percent) continue;
          bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
          expected.push_back(row);
        }
        std::vector<std::uint16_t> positions(rows + kPositionsSlack);
        REQUIRE(take_positions(bits.data(), rows, positions.data()) == expected.size());
        for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
          // One byte off alignment.
          std::vector<std::byte> values(1 + rows * width);
          for (auto& byte : values) byte = static_cast<std::byte>(random());
          std::vector<std::byte> packed(expected.size() * width);
          take(width, values.data() + 1, positions.data(), expected.size(), packed.data());
          bool same = true;
          for (std::size_t i = 0; i < packed.size(); ++i)
            same &= packed[i] == values[1 + expected[i / width] * width + i % width];
          REQUIRE(same);
        }
      }
    }
  });
}

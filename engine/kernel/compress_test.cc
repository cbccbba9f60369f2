// Compress on every instruction set that this machine has, against plain loops.
#include "engine/kernel/compress.h"

#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/targets_for_tests.h"

using namespace hdbench;

namespace {

constexpr std::size_t kSizes[] = {0, 1, 63, 64, 65, 200, 1000};

}  // namespace

TEST_CASE("compress packs the selected elements and writes nothing beyond them") {
  on_every_target([] {
    std::mt19937_64 random(4);
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
      for (const std::size_t rows : kSizes) {
        for (int density = 0; density < 4; ++density) {
          std::vector<std::byte> values(rows * width + 1);
          for (auto& byte : values) byte = static_cast<std::byte>(random());
          std::vector<std::uint64_t> bits(words_for(rows));
          for (auto& word : bits) {
            word = density == 0   ? 0
                   : density == 1 ? random() & random() & random()
                   : density == 2 ? random()
                                  : ~0ull;
          }
          if (!bits.empty()) bits.back() &= tail_mask(rows);
          std::vector<std::byte> expected;
          for (std::size_t row = 0; row < rows; ++row) {
            if ((bits[row / 64] >> (row % 64) & 1) == 0) continue;
            const auto element = values.begin() + static_cast<std::ptrdiff_t>(1 + row * width);
            expected.insert(expected.end(), element, element + width);
          }
          std::vector<std::byte> packed(expected.size() + 64, std::byte{0xee});
          REQUIRE(compress(width, values.data() + 1, bits.data(), rows, packed.data()) * width ==
                  expected.size());
          expected.resize(packed.size(), std::byte{0xee});
          REQUIRE(packed == expected);
        }
      }
    }
  });
}

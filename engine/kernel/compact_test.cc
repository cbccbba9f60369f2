// Compact on every instruction set that this machine has, against plain loops.
#include "engine/kernel/compact.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

constexpr std::size_t kCompactedRows[] = {0, 1, 63, 64, 65, 200, 1000, 5000};

std::uint64_t highest_of(const std::vector<std::byte>& elements, std::uint32_t width) {
  std::uint64_t highest = 0;
  for (std::size_t i = 0; width <= 8 && i < elements.size(); i += width) {
    std::uint64_t value = 0;
    std::memcpy(&value, elements.data() + i, width);
    highest = std::max(highest, value);
  }
  return highest;
}

}  // namespace

TEST_CASE("compact packs the selected elements and writes nothing beyond them") {
  on_every_target([] {
    std::mt19937_64 random(4);
    for (const std::uint32_t width : {1u, 2u, 4u, 8u, 16u}) {
      for (const std::size_t rows : kCompactedRows) {
        for (int density = 0; density < 5; ++density) {
          std::vector<std::byte> values(rows * width + 1);
          for (auto& byte : values) byte = static_cast<std::byte>(random());
          std::vector<std::uint64_t> bits(words_for(rows));
          for (auto& word : bits) {
            word = density == 0                        ? 0
                   : density == 1                      ? random() & random() & random()
                   : density == 2                      ? random()
                   : density == 3 && random() % 3 == 0 ? random()  // among whole words
                                                       : ~0ull;
          }
          if (!bits.empty()) bits.back() &= tail_mask(rows);
          std::vector<std::byte> expected;
          for (std::size_t row = 0; row < rows; ++row) {
            if ((bits[row / 64] >> (row % 64) & 1) == 0) continue;
            const auto element = values.begin() + static_cast<std::ptrdiff_t>(1 + row * width);
            expected.insert(expected.end(), element, element + width);
          }
          std::vector<std::byte> packed(expected.size() + 192, std::byte{0xee});
          // Results begin anywhere in a line, at a multiple of the element.
          const std::size_t line = reinterpret_cast<std::uintptr_t>(packed.data()) % 64;
          const std::size_t before = (64 - line) % 64 + random() % (64 / width) * width;
          for (const Stores stores : {Stores::kCached, Stores::kPastCaches}) {
            std::fill(packed.begin(), packed.end(), std::byte{0xee});
            const Compacted done = compact({width, values.data() + 1, rows, bits.data()},
                                           packed.data() + before, stores);
            REQUIRE(done.count * width == expected.size());
            REQUIRE(done.highest == highest_of(expected, width));
            auto whole = std::vector<std::byte>(packed.size(), std::byte{0xee});
            std::copy(expected.begin(), expected.end(),
                      whole.begin() + static_cast<std::ptrdiff_t>(before));
            REQUIRE(packed == whole);
          }
        }
      }
    }
  });
}

TEST_CASE("without bits all elements are copied") {
  on_every_target([] {
    const std::vector<std::uint64_t> values = {7, 9, 8};
    std::vector<std::uint64_t> packed(3);
    const Compacted done = compact({8, reinterpret_cast<const std::byte*>(values.data()), 3},
                                   reinterpret_cast<std::byte*>(packed.data()), Stores::kCached);
    REQUIRE(done.count == 3);
    REQUIRE(done.highest == 9);
    REQUIRE(packed == values);
  });
}

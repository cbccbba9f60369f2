#include "engine/kernel/changes.h"

#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

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

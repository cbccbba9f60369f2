#include "engine/kernel/last_rows.h"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

struct Ids {
  std::uint32_t width = 1;
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> bits;

  Ids(std::uint32_t id_bytes, std::size_t words) : width(id_bytes), bits(words) {
    bytes.resize(words * kWordRows * width);
  }
  void set(std::size_t row, std::uint64_t id) {
    std::memcpy(bytes.data() + row * width, &id, width);
    bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
  }
  IdWords words() const { return {width, bytes.data(), bits.data(), bits.size()}; }
};

}  // namespace

TEST_CASE("nothing selected finds nothing, whatever the ids") {
  on_every_target([] {
    const Ids ids(1, 3);
    FoundGroups found;
    REQUIRE(find_last_rows(ids.words(), found) == 0);
    REQUIRE(find_last_rows({1, nullptr, nullptr, 0}, found) == 0);
    REQUIRE(found.count == 0);
  });
}

TEST_CASE("the last row of every group is found on every instruction set and at every width") {
  on_every_target([] {
    std::mt19937_64 random(1);
    for (const std::uint32_t width : {1u, 2u, 4u}) {
      for (const std::uint32_t groups : {1u, 4u, 16u}) {
        Ids ids(width, 9);
        std::map<std::uint32_t, std::uint32_t> expected;
        for (std::size_t row = 0; row < 9 * kWordRows; ++row) {
          if (random() % 3 == 0) continue;
          const auto id = static_cast<std::uint32_t>(random() % groups) * (width == 1 ? 1 : 200);
          ids.set(row, id);
          expected[id] = static_cast<std::uint32_t>(row);
        }
        FoundGroups found;
        REQUIRE(find_last_rows(ids.words(), found) == 0);
        REQUIRE(found.count == expected.size());
        for (std::size_t k = 0; k < found.count; ++k) {
          REQUIRE(expected.at(found.ids[k]) == found.rows[k]);
        }
      }
    }
  });
}

TEST_CASE("one group too many leaves the words from it on unscanned") {
  on_every_target([] {
    Ids ids(1, 20);
    for (std::size_t w = 0; w < 20; ++w) ids.set(w * kWordRows, static_cast<std::uint32_t>(w));
    FoundGroups found;
    REQUIRE(find_last_rows(ids.words(), found) == 20 - FoundGroups::kMax);
    REQUIRE(found.count == FoundGroups::kMax);
    REQUIRE(found.ids[0] == 19);
  });
}

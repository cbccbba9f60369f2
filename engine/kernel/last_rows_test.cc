#include "engine/kernel/last_rows.h"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/kernel/targets_for_tests.h"

using namespace hdbench;

namespace {

struct Ids {
  std::uint32_t width = 1;
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> bits;

  Ids(std::uint32_t id_bytes, std::size_t words) : width(id_bytes), bits(words) {
    bytes.resize(words * kWordRows * width);
  }
  void set(std::size_t row, std::uint32_t id) {
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
    REQUIRE(find_last_rows(ids.words(), 0, found) == 0);
    REQUIRE(find_last_rows({1, nullptr, nullptr, 0}, 0, found) == 0);
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
          expected[id] = 1000 + static_cast<std::uint32_t>(row);
        }
        FoundGroups found;
        IdWords words = ids.words();
        if (groups == 4) words.next = ids.bytes.data();
        REQUIRE(find_last_rows(words, 1000, found) == 0);
        REQUIRE(found.count == expected.size());
        for (std::size_t k = 0; k < found.count; ++k) {
          REQUIRE(expected.at(found.ids[k]) == found.rows[k]);
        }
      }
    }
  });
}

TEST_CASE("groups of later pieces stay found") {
  on_every_target([] {
    Ids later(2, 1);
    later.set(3, 700);
    Ids earlier(2, 1);
    earlier.set(5, 700);
    earlier.set(4, 701);
    FoundGroups found;
    REQUIRE(find_last_rows(later.words(), 64, found) == 0);
    REQUIRE(find_last_rows(earlier.words(), 0, found) == 0);
    REQUIRE(found.count == 2);
    REQUIRE(found.rows[0] == 67);
    REQUIRE(found.rows[1] == 4);
  });
}

TEST_CASE("a scan ends with the groups that there are") {
  on_every_target([] {
    Ids ids(1, 40);
    for (std::size_t row = 0; row < 40 * kWordRows; ++row)
      ids.set(row, static_cast<std::uint32_t>(row % 2));
    IdWords words = ids.words();
    words.groups_max = 2;
    // An id that the scan would find if it went on.
    ids.set(0, 9);
    FoundGroups found;
    REQUIRE(find_last_rows(words, 0, found) == 0);
    REQUIRE(found.count == 2);
    REQUIRE(found.rows[0] == 40 * kWordRows - 1);
    REQUIRE(found.rows[1] == 40 * kWordRows - 2);
  });
}

TEST_CASE("all selected ids are known, or one is not, wherever it lies") {
  on_every_target([] {
    for (const std::uint32_t width : {1u, 2u, 4u}) {
      for (const std::uint32_t groups : {1u, 2u, 3u, 4u}) {
        Ids ids(width, 19);
        for (std::size_t row = 0; row < 19 * kWordRows; ++row) {
          if (row % 5 != 0) ids.set(row, static_cast<std::uint32_t>(row) % groups);
        }
        FoundGroups known;
        REQUIRE(find_last_rows(ids.words(), 0, known) == 0);
        REQUIRE(known.count == groups);
        IdWords words = ids.words();
        REQUIRE(all_known(words, known));
        words.next = ids.bytes.data();
        REQUIRE(all_known(words, known));
        for (const std::size_t row : {1u, 511u, 512u, 1023u, 1024u, 1214u}) {
          Ids other = ids;
          // Of a row that is not selected, it does not matter.
          std::memset(other.bytes.data() + row / 5 * 5 * width, 0xee, width);
          REQUIRE(all_known(other.words(), known));
          other.set(row, groups);
          REQUIRE_FALSE(all_known(other.words(), known));
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
    REQUIRE(find_last_rows(ids.words(), 0, found) == 20 - FoundGroups::kMax);
    REQUIRE(found.count == FoundGroups::kMax);
    REQUIRE(found.ids[0] == 19);
  });
}

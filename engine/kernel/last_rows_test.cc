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
  void set(std::size_t row, std::uint64_t id) {
    std::memcpy(bytes.data() + row * width, &id, width);
    bits[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows);
  }
  std::uint64_t at(std::size_t row) const {
    std::uint64_t id = 0;
    std::memcpy(&id, bytes.data() + row * width, width);
    return id;
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

// Rows whose groups are the pairs of two columns' values, every fifth not selected; one column:
// the second is not looked at. 19 words: two blocks of 8 and three more.
struct Keys {
  static constexpr std::size_t kWords = 19;
  static constexpr std::size_t kRows = kWords * kWordRows;

  Keys(std::uint32_t width, std::size_t columns, std::uint32_t groups)
      : first(width, kWords), second(width, kWords), column_count(columns) {
    known.count = groups;
    for (std::uint32_t k = 0; k < groups; ++k) {
      // Of pairs, neither value alone tells the group.
      known.values[0][k] = columns == 1 ? 3 + k : 3 + k / 2;
      known.values[1][k] = 250 + k % 2;
    }
    for (std::size_t row = 0; row < kRows; ++row) {
      if (row % 5 != 0) set(row, static_cast<std::uint32_t>(row) % groups);
    }
  }
  void set(std::size_t row, std::uint32_t group) {
    first.set(row, known.values[0][group]);
    second.set(row, known.values[1][group]);
  }
  KeyWords words() const {
    return {first.width,
            {first.bytes.data(), column_count == 1 ? nullptr : second.bytes.data()},
            first.bits.data(),
            kWords,
            nullptr};
  }

  Ids first, second;
  std::size_t column_count;
  KnownGroups known;
};

template <typename Check>
void on_every_kind_of_keys(const Check& check) {
  on_every_target([&] {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
      for (const std::size_t columns : {1u, 2u}) {
        for (const std::uint32_t groups : {1u, 2u, 3u, 4u}) check(Keys(width, columns, groups));
      }
    }
  });
}

TEST_CASE("all selected rows are of known groups, or one is not, wherever it lies") {
  on_every_kind_of_keys([](const Keys& keys) {
    KeyWords words = keys.words();
    REQUIRE(all_known(words, keys.known));
    words.next = keys.first.bytes.data();
    REQUIRE(all_known(words, keys.known));
    for (const std::size_t row : {1u, 511u, 512u, 1023u, 1024u, 1214u}) {
      for (const bool in_first : {true, false}) {
        if (!in_first && keys.column_count == 1) continue;
        Keys other = keys;
        Ids& column = in_first ? other.first : other.second;
        // Of a row that is not selected, it does not matter.
        std::memset(column.bytes.data() + row / 5 * 5 * column.width, 0xee, column.width);
        REQUIRE(all_known(other.words(), keys.known));
        column.set(row, 77);
        REQUIRE_FALSE(all_known(other.words(), keys.known));
        // A known value, but for bits that a group's does not have.
        if (column.width < 8) continue;
        column.set(row, keys.known.values[in_first ? 0 : 1][0] | std::uint64_t{1} << 32);
        REQUIRE_FALSE(all_known(other.words(), keys.known));
      }
    }
    if (keys.column_count == 2 && keys.known.count == 3) {
      // A pair that is none of the three, though both of its values are known.
      Keys other = keys;
      other.first.set(700 / 5 * 5 + 1, 4);
      other.second.set(700 / 5 * 5 + 1, 251);
      REQUIRE_FALSE(all_known(other.words(), keys.known));
    }
  });
}

TEST_CASE("the last row of each known group is the highest selected one, or there is none") {
  on_every_kind_of_keys([](const Keys& all) {
    Keys keys = all;
    // The last group's only rows are early ones.
    const auto last = static_cast<std::uint32_t>(keys.known.count) - 1;
    for (std::size_t row = 66; row < Keys::kRows; ++row) {
      if (row % 5 != 0) keys.set(row, last == 0 ? 0 : static_cast<std::uint32_t>(row) % last);
    }
    std::uint32_t expected[kKnownMax];
    for (std::uint32_t k = 0; k <= last; ++k) {
      expected[k] = kNoRow;
      for (std::uint32_t row = 0; row < Keys::kRows; ++row) {
        const bool is_group =
            keys.first.at(row) == keys.known.values[0][k] &&
            (keys.column_count == 1 || keys.second.at(row) == keys.known.values[1][k]);
        if (row % 5 != 0 && is_group) expected[k] = row;
      }
    }
    std::uint32_t rows[kKnownMax];
    last_known_rows(keys.words(), keys.known, rows);
    for (std::uint32_t k = 0; k <= last; ++k) REQUIRE(rows[k] == expected[k]);
    keys.known.values[0][0] = 99;
    last_known_rows(keys.words(), keys.known, rows);
    REQUIRE(rows[0] == kNoRow);
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

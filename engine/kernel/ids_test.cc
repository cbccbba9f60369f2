#include "engine/kernel/ids.h"

#include <cstring>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/bits.h"
#include "engine/testing/targets.h"

using namespace hdbench;

namespace {

std::uint64_t element(const std::vector<std::byte>& bytes, std::size_t i, std::uint32_t width) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + i * width, width);
  return value;
}

// Values base + [0, span), one byte off alignment.
std::vector<std::byte> values_from(std::uint64_t base, std::uint64_t span, std::size_t rows,
                                   std::uint32_t width, std::mt19937_64& random) {
  std::vector<std::byte> bytes(1 + rows * width);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t value = base + random() % span;
    std::memcpy(bytes.data() + 1 + i * width, &value, width);
  }
  return bytes;
}

void check_ids(std::uint32_t from, std::uint32_t to, std::size_t rows, bool some,
               std::mt19937_64& random) {
  const std::uint64_t span = to == 1 ? 200 : to == 2 ? 50'000 : 3'000'000'000u;
  const std::uint64_t base = from == to ? 0 : random() % 50;
  const auto values = values_from(base, span, rows, from, random);
  std::vector<std::uint64_t> bits(words_for(rows));
  for (auto& word : bits) word = random() % 3 == 0 ? 0 : random() | 1;
  std::vector<std::byte> ids(words_for(rows) * kWordRows * to, std::byte{0xee});
  const IdSource source{from, values.data() + 1, rows, some ? bits.data() : nullptr};
  const std::uint64_t seen = to_ids(source, base, to, ids.data());
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < words_for(rows) * kWordRows; ++i) {
    if (some && bits[i / kWordRows] == 0) continue;
    std::uint64_t value = 0;
    if (i < rows) {
      std::memcpy(&value, values.data() + 1 + i * from, from);
      value -= base;
    }
    REQUIRE(element(ids, i, to) == value);
    expected |= value;
  }
  REQUIRE(seen == expected);
}

}  // namespace

TEST_CASE("ids are the values less the base, zero beyond the rows, on every instruction set") {
  on_every_target([] {
    std::mt19937_64 random(1);
    for (const std::uint32_t from : {1u, 2u, 4u, 8u}) {
      for (const std::uint32_t to : {1u, 2u, 4u}) {
        if (to > from) continue;
        for (const std::size_t rows : kRowCounts) {
          check_ids(from, to, rows, false, random);
          check_ids(from, to, rows, true, random);
        }
      }
    }
  });
}

TEST_CASE("the bits of a value that an id cannot hold are seen, not those of a skipped word") {
  on_every_target([] {
    for (const std::uint32_t from : {2u, 4u, 8u}) {
      std::vector<std::byte> values(130 * from);
      for (std::size_t i = 0; i < 130; ++i) {
        const std::uint64_t value = i == 70 ? 4 : 5;
        std::memcpy(values.data() + i * from, &value, from);
      }
      std::vector<std::byte> ids(192);
      std::uint64_t bits[] = {1, 1, 1};
      const std::uint64_t wrapped = UINT64_MAX >> (64 - 8 * from);
      REQUIRE(to_ids({from, values.data(), 130, bits}, 5, 1, ids.data()) == wrapped);
      bits[1] = 0;
      REQUIRE(to_ids({from, values.data(), 130, bits}, 5, 1, ids.data()) == 0);
    }
  });
}

TEST_CASE("values are all equal or one is not, on every instruction set") {
  on_every_target([] {
    for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
      for (const std::size_t rows : {1, 2, 64, 65, 130, 300}) {
        std::vector<std::byte> values(1 + rows * width, std::byte{7});
        REQUIRE(all_equal(width, values.data() + 1, rows));
        for (const std::size_t other : {rows - 1, rows / 2}) {
          if (rows == 1) continue;
          auto changed = values;
          changed[1 + other * width] = std::byte{8};
          REQUIRE_FALSE(all_equal(width, changed.data() + 1, rows));
        }
      }
    }
  });
}

TEST_CASE("id widths hold their counts") {
  REQUIRE(id_width(0) == 1);
  REQUIRE(id_width(256) == 1);
  REQUIRE(id_width(257) == 2);
  REQUIRE(id_width(65536) == 2);
  REQUIRE(id_width(65537) == 4);
}

TEST_CASE("ids are combined at their shifts on every instruction set") {
  on_every_target([] {
    std::mt19937_64 random(3);
    for (const std::uint32_t from : {1u, 2u, 4u}) {
      for (const std::uint32_t to : {1u, 2u, 4u}) {
        if (from > to) continue;
        for (const std::uint32_t shift : {0u, 3u, 4u}) {
          std::vector<std::byte> low(3 * kWordRows * to);
          std::vector<std::byte> high(3 * kWordRows * from);
          for (std::size_t i = 0; i < 3 * kWordRows; ++i) {
            const std::uint64_t low_id = random() % 8;
            const std::uint64_t high_id = random() % 16;
            std::memcpy(low.data() + i * to, &low_id, to);
            std::memcpy(high.data() + i * from, &high_id, from);
          }
          auto combined = low;
          add_ids({from, high.data(), shift}, 3, to, combined.data());
          for (std::size_t i = 0; i < 3 * kWordRows; ++i) {
            REQUIRE(element(combined, i, to) ==
                    (element(low, i, to) | element(high, i, from) << shift));
          }
        }
      }
    }
  });
}

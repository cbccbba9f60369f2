#include "engine/operator/id_runs.h"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& ids, std::uint32_t width) {
  std::vector<std::byte> bytes(words_for(ids.size()) * kWordRows * width);
  for (std::size_t i = 0; i < ids.size(); ++i)
    std::memcpy(bytes.data() + i * width, &ids[i], width);
  return bytes;
}

}  // namespace

TEST_CASE("each selected row is in the run of its id, and in no other") {
  std::mt19937_64 random(7);
  for (const std::uint32_t width : {1u, 2u, 4u}) {
    for (const std::size_t rows : {1u, 63u, 64u, 65u, 1000u, 4096u}) {
      for (const bool some : {false, true}) {
        const std::uint32_t highest = width == 1 ? 255 : width == 2 ? 65'535 : UINT32_MAX;
        std::vector<std::uint32_t> ids(rows);
        for (auto& id : ids) id = highest - static_cast<std::uint32_t>(random() % 8);
        std::vector<std::uint64_t> bits(words_for(rows));
        for (auto& word : bits) word = random() % 3 == 0 ? 0 : random();
        bits.back() &= tail_mask(rows);
        const auto bytes = bytes_of(ids, width);
        IdRuns split;
        REQUIRE(split.split({width, bytes.data(), rows, some ? bits.data() : nullptr}));
        std::map<std::uint32_t, std::size_t> counts;
        for (std::size_t row = 0; row < rows; ++row) {
          const bool selected = !some || is_set(bits.data(), row);
          if (selected) ++counts[ids[row]];
          std::size_t found = 0;
          for (const auto& run : split.runs()) {
            if (!is_set(run.bits, row)) continue;
            ++found;
            REQUIRE(run.id == ids[row]);
          }
          REQUIRE(found == (selected ? 1 : 0));
        }
        REQUIRE(split.runs().size() == counts.size());
        for (const auto& run : split.runs()) REQUIRE(run.count == counts[run.id]);
      }
    }
  }
}

TEST_CASE("more ids than there are runs are refused, and tried again later") {
  std::vector<std::uint32_t> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::uint32_t>(i % 9);
  const auto of_many = bytes_of(many, 1);
  const auto of_one = bytes_of(std::vector<std::uint32_t>(100, 3), 1);
  IdRuns split;
  REQUIRE_FALSE(split.split({1, of_many.data(), many.size(), nullptr}));
  std::size_t refused = 0;
  while (!split.split({1, of_one.data(), many.size(), nullptr})) REQUIRE(++refused < 100);
  REQUIRE(split.runs().size() == 1);
  REQUIRE(split.runs()[0].count == 100);
}

TEST_CASE("no selected row has no run") {
  const auto ids = bytes_of(std::vector<std::uint32_t>(70, 1), 1);
  const std::uint64_t none[] = {0, 0};
  IdRuns split;
  REQUIRE(split.split({1, ids.data(), 70, none}));
  REQUIRE(split.runs().empty());
}

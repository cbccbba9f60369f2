#include "engine/operator/group_index.h"

#include <map>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using hdbench::GroupIndex;

namespace {

// Numbers random keys with the index and with a std::map, and compares.
void compare_with_map(const std::vector<std::uint64_t>& cardinalities, std::uint64_t key_range,
                      bool direct) {
  GroupIndex index(cardinalities, *std::pmr::new_delete_resource());
  REQUIRE(index.direct() == direct);
  std::map<std::vector<std::uint64_t>, std::uint32_t> expected;
  std::mt19937_64 random(7);
  for (int batch = 0; batch < 20; ++batch) {
    std::vector<std::vector<std::uint64_t>> words(cardinalities.size(),
                                                  std::vector<std::uint64_t>(1000));
    std::vector<const std::uint64_t*> pointers;
    for (auto& word : words) {
      for (auto& value : word) value = random() % key_range;
      pointers.push_back(word.data());
    }
    std::vector<std::uint32_t> groups(1000);
    index.assign(pointers, groups.size(), groups.data());
    for (std::size_t row = 0; row < groups.size(); ++row) {
      std::vector<std::uint64_t> key;
      for (auto& word : words) key.push_back(word[row]);
      const auto [place, fresh] =
          expected.try_emplace(key, static_cast<std::uint32_t>(expected.size()));
      REQUIRE(groups[row] == place->second);
      REQUIRE(std::equal(key.begin(), key.end(), index.key(groups[row])));
    }
  }
  REQUIRE(index.size() == expected.size());
}

}  // namespace

TEST_CASE("without words everything is one group") {
  GroupIndex index({}, *std::pmr::new_delete_resource());
  std::vector<std::uint32_t> groups(3, 9);
  index.assign({}, 3, groups.data());
  REQUIRE(groups == std::vector<std::uint32_t>{0, 0, 0});
  REQUIRE(index.size() == 1);
}

TEST_CASE("small keys address a table and agree with a map") {
  compare_with_map({10, 10, 92}, 10, true);
}

TEST_CASE("keys of unknown size are hashed and agree with a map") {
  compare_with_map({0}, 1u << 30, false);
  compare_with_map({0, 5, 0}, 5, false);
}

TEST_CASE("keys too many for a table are hashed") {
  compare_with_map({1u << 15, 1u << 15}, 1u << 15, false);
}

TEST_CASE("room that was made changes no number") {
  GroupIndex index(std::vector<std::uint64_t>{0}, *std::pmr::new_delete_resource());
  index.reserve(3);
  const std::vector<std::uint64_t> keys{7, 3, 7, 5};
  const std::uint64_t* const words[] = {keys.data()};
  std::uint32_t groups[4];
  index.assign(words, keys.size(), groups);
  REQUIRE(std::vector(groups, groups + 4) == std::vector<std::uint32_t>{0, 1, 0, 2});
  REQUIRE(index.size() == 3);
}

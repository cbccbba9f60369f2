#include "engine/operator/key_splitters.h"

#include <algorithm>
#include <limits>
#include <random>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

using Keys = std::vector<std::vector<std::int64_t>>;

std::vector<std::uint8_t> ranges_of(const KeySplitters& splitters, const Keys& keys) {
  std::vector<std::vector<std::int64_t>> words(keys.front().size());
  for (const auto& key : keys) {
    for (std::size_t w = 0; w < key.size(); ++w) words[w].push_back(key[w]);
  }
  std::vector<const std::int64_t*> numbers;
  for (const auto& word : words) numbers.push_back(word.data());
  std::vector<std::uint8_t> ranges(keys.size());
  splitters.ranges_of(numbers, keys.size(), ranges.data());
  return ranges;
}

// Keys in order have ranges in order, equal keys one range.
void check_order(const KeySplitters& splitters, Keys keys) {
  std::sort(keys.begin(), keys.end());
  const std::vector<std::uint8_t> ranges = ranges_of(splitters, keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    REQUIRE(ranges[i] < splitters.ranges());
    if (i == 0) continue;
    REQUIRE(ranges[i - 1] <= ranges[i]);
    if (keys[i - 1] == keys[i]) REQUIRE(ranges[i - 1] == ranges[i]);
  }
}

Keys some_keys(std::mt19937_64& random, std::size_t count, std::size_t words, std::uint64_t span) {
  Keys keys(count);
  for (auto& key : keys) {
    for (std::size_t w = 0; w < words; ++w)
      key.push_back(static_cast<std::int64_t>(random() % span) -
                    static_cast<std::int64_t>(span / 2));
  }
  return keys;
}

}  // namespace

TEST_CASE("ranges are in the order of keys") {
  std::mt19937_64 random(11);
  for (const std::size_t words : {1u, 2u, 3u}) {
    for (const std::uint64_t span : {1u, 2u, 5u, 1'000'000u}) {
      for (const std::size_t ranges : {1u, 2u, 3u, 64u, 256u}) {
        const KeySplitters splitters(some_keys(random, 1000, words, span), ranges);
        REQUIRE(splitters.ranges() <= ranges);
        check_order(splitters, some_keys(random, 2000, words, span));
      }
    }
  }
}

TEST_CASE("keys may begin with other words than all of the sample do") {
  std::mt19937_64 random(13);
  Keys sample = some_keys(random, 1000, 3, 50);
  for (auto& key : sample) key.front() = 7;
  for (const std::size_t ranges : {2u, 64u, 256u}) {
    const KeySplitters splitters(sample, ranges);
    check_order(splitters, some_keys(random, 2000, 3, 50));
    check_order(splitters, sample);
  }
}

TEST_CASE("keys like the sample's are spread evenly") {
  std::mt19937_64 random(12);
  const KeySplitters splitters(some_keys(random, 4096, 1, 1'000'000'000), 16);
  REQUIRE(splitters.ranges() == 16);
  std::vector<std::size_t> counts(16);
  for (const std::uint8_t range : ranges_of(splitters, some_keys(random, 16'000, 1, 1'000'000'000)))
    ++counts[range];
  for (const std::size_t count : counts) REQUIRE((count > 600 && count < 1600));
}

TEST_CASE("the least and the greatest numbers have ranges too, and no sample one range") {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  check_order(KeySplitters({{least}, {0}, {greatest}}, 4), {{least}, {-1}, {0}, {1}, {greatest}});
  check_order(KeySplitters({{greatest}, {greatest}}, 4), {{least}, {greatest}});
  REQUIRE(KeySplitters({}, 64).ranges() == 1);
  check_order(KeySplitters({}, 64), {{1}, {2}});
}

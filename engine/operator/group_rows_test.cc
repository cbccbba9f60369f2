#include "engine/operator/group_rows.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

struct Expected {
  std::uint64_t count = 0;
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
};

void check(std::size_t groups, GroupRowNeeds needs) {
  std::mt19937_64 random(groups);
  GroupRows halves[2] = {GroupRows(needs, *std::pmr::new_delete_resource()),
                         GroupRows(needs, *std::pmr::new_delete_resource())};
  std::vector<Expected> expected(groups);
  for (GroupRows& half : halves) half.resize(groups);
  for (int round = 20; round-- > 0;) {
    const std::size_t begin = random() % groups;
    const std::size_t end = begin + 1 + random() % (groups - begin);
    std::vector<std::uint32_t> numbers(1 + random() % 1000);
    std::vector<std::uint32_t> positions(numbers.size());
    const std::uint64_t base = static_cast<std::uint64_t>(round) * 100000;
    std::map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<std::uint32_t>(begin + random() % (end - begin));
      positions[i] = static_cast<std::uint32_t>(round % 2 == 0 ? i : 3 * i + 1);
      Expected& group = expected[numbers[i]];
      ++group.count;
      ++counts[numbers[i]];
      group.first = std::min(group.first, base + positions[i]);
      group.last = std::max(group.last, base + positions[i]);
    }
    const std::size_t most =
        halves[round % 3 == 0].note({numbers.data(), numbers.size(), base,
                                     round % 2 == 0 ? nullptr : positions.data(), begin, end});
    for (const auto& [group, count] : counts) REQUIRE(count <= most);
  }
  halves[0].note_run(0, 5, 7, 9000000);
  expected[0] = {expected[0].count + 5, std::min<std::uint64_t>(expected[0].first, 7), 9000000};
  std::vector<std::uint32_t> mapping(groups);
  for (std::uint32_t g = 0; g < groups; ++g) mapping[g] = g;
  halves[0].merge(halves[1], mapping);
  for (std::size_t g = 0; g < groups; ++g) {
    if (needs.counts) REQUIRE(halves[0].counts()[g] == expected[g].count);
    if (needs.first) REQUIRE(halves[0].first_rows()[g] == expected[g].first);
    if (needs.last) REQUIRE(halves[0].last_rows()[g] == expected[g].last);
  }
}

}  // namespace

TEST_CASE("counts, first and last rows are those of all batches in any order") {
  for (const std::size_t groups : {1, 2, 255, 256, 257, 5000}) {
    for (const bool counts : {false, true}) {
      for (const bool first : {false, true}) {
        check(groups, {counts, first, true});
        check(groups, {counts, first, false});
      }
    }
  }
}

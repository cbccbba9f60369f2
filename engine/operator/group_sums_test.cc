#include "engine/operator/group_sums.h"

#include <algorithm>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/adversarial_doubles.h"

using namespace hdbench;

namespace {

bool same(double a, double b) { return a == b || (a != a && b != b); }

// Batches and runs in turn, into two that are merged, against one exact sum a group.
void check_sums(std::size_t groups) {
  std::mt19937_64 random(groups);
  auto& resource = *std::pmr::new_delete_resource();
  GroupSums halves[2] = {GroupSums(resource), GroupSums(resource)};
  std::vector<ExactSum> expected(groups);
  std::vector<std::uint64_t> nulls(groups);
  for (GroupSums& half : halves) half.resize(groups);
  for (int round = 0; round < 60; ++round) {
    const std::vector<double> values = adversarial_doubles(random, 1 + random() % 3000);
    std::vector<std::uint32_t> numbers(values.size());
    const auto one = static_cast<std::uint32_t>(random() % groups);
    for (std::uint32_t& group : numbers)
      group = round % 4 == 0 ? one : static_cast<std::uint32_t>(random() % groups);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == values[i]) {
        expected[numbers[i]].add(values[i]);
      } else {
        ++nulls[numbers[i]];
      }
    }
    GroupSums& half = halves[round % 2];
    if (round % 4 == 0) {
      half.add_run(one, DoubleBlock{values.data(), values.size(), nullptr});
    } else {
      half.add(values.data(),
               {values.size(), numbers.data(), nullptr, nullptr, values.size(), 0, groups});
    }
  }
  std::vector<std::uint32_t> mapping(groups);
  for (std::uint32_t g = 0; g < groups; ++g) mapping[g] = g;
  halves[0].merge(halves[1], mapping);
  halves[0].flush();
  for (std::uint32_t g = 0; g < groups; ++g) {
    REQUIRE(same(halves[0].sum(g).rounded(), expected[g].rounded()));
    REQUIRE(halves[0].nulls(g) == nulls[g]);
  }
}

}  // namespace

TEST_CASE("sums of any doubles are exact, whatever the number of groups") {
  for (const std::size_t groups : {1, 2, 255, 4096, 4097, 65536, 65537}) check_sums(groups);
}

TEST_CASE("groups may become more between batches") {
  GroupSums sums(*std::pmr::new_delete_resource());
  const std::vector<double> values(100, 0.1);
  for (std::uint32_t groups = 1; groups < 100000; groups *= 7) {
    sums.resize(groups);
    const std::vector<std::uint32_t> last(values.size(), groups - 1);
    sums.add(values.data(), {values.size(), last.data(), nullptr, nullptr, 100, 0, groups});
  }
  sums.flush();
  ExactSum expected;
  for (const double value : values) expected.add(value);
  for (const std::uint32_t group : {0u, 6u, 48u, 342u, 16806u})
    REQUIRE(sums.sum(group).rounded() == expected.rounded());
}

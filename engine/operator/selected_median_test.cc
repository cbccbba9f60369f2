#include "engine/operator/selected_median.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/testing/adversarial_doubles.h"

using namespace hdbench;

namespace {

double median_of(std::vector<double> values) {
  const double null = std::numeric_limits<double>::quiet_NaN();
  const std::size_t nulls = std::erase_if(values, [](double value) { return value != value; });
  for (double& value : values) value += 0.0;
  std::sort(values.begin(), values.end());
  values.insert(values.begin(), nulls, null);
  if (values.empty()) return null;
  const std::size_t half = values.size() / 2;
  const bool is_alone = values.size() % 2 != 0 || values[half - 1] != values[half - 1];
  return is_alone ? values[half] : (values[half - 1] + values[half]) / 2;
}

// In two passes by two aggregators, a batch and a run each.
std::vector<double> found_medians(const std::vector<double>& values,
                                  const std::vector<std::uint32_t>& groups, std::size_t count,
                                  ValueRange range) {
  auto& resource = *std::pmr::new_delete_resource();
  const auto first = make_selected_median(QType::kFloat, range, resource);
  std::vector<std::uint32_t> mapping(count);
  for (std::uint32_t g = 0; g < count; ++g) mapping[g] = g;
  const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
  for (int pass = 0; pass < 2; ++pass) {
    const auto second = make_selected_median(QType::kFloat, range, resource);
    for (Aggregator* const half : {first.get(), second.get()}) half->resize(count);
    REQUIRE(first->needs_second_pass() == (pass == 0));
    if (pass == 1) break;
    const std::size_t middle = values.size() / 2;
    first->update({middle, groups.data(), bytes, nullptr, middle, 0, count});
    second->update({values.size() - middle, groups.data() + middle, bytes + middle * 8, nullptr,
                    values.size() - middle, 0, count});
    first->merge(*second, mapping);
    first->begin_second_pass(*first);
    const auto third = make_selected_median(QType::kFloat, range, resource);
    third->resize(count);
    third->begin_second_pass(*first);
    first->update({middle, groups.data(), bytes, nullptr, middle, 0, count});
    for (std::size_t i = middle; i < values.size(); ++i)
      third->update_run({groups[i], 1, nullptr, bytes + i * 8, nullptr});
    first->merge(*third, mapping);
  }
  std::vector<double> results(count);
  first->finish(mapping, {}, reinterpret_cast<std::byte*>(results.data()));
  return results;
}

}  // namespace

TEST_CASE("medians are those of the sorted values, whatever the range says") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 40; ++round) {
    const std::size_t groups = round % 2 == 0 ? 1 : 256;
    const std::vector<double> values = adversarial_doubles(random, 2000);
    std::vector<std::uint32_t> numbers(values.size());
    std::vector<std::vector<double>> by_group(groups);
    for (std::size_t i = 0; i < values.size(); ++i) {
      numbers[i] = static_cast<std::uint32_t>(random() % groups);
      by_group[numbers[i]].push_back(values[i]);
    }
    for (const ValueRange range : {ValueRange{0, 1000}, ValueRange{5, 5}, ValueRange{-1e300, 1}}) {
      const auto found = found_medians(values, numbers, groups, range);
      for (std::size_t g = 0; g < groups; ++g) {
        const double expected = median_of(by_group[g]);
        REQUIRE((found[g] == expected || (found[g] != found[g] && expected != expected)));
      }
    }
  }
}

TEST_CASE("nulls come before all values and count") {
  const double null = std::numeric_limits<double>::quiet_NaN();
  const auto found =
      found_medians({null, 2, 1, 1, null, 7, null, null}, {0, 0, 0, 1, 1, 2, 2, 2}, 3, {0, 8});
  REQUIRE(found[0] == 1);
  REQUIRE(found[1] == 1);
  REQUIRE(found[2] != found[2]);
}

TEST_CASE("groups without a value have the null for a median") {
  const auto found = found_medians({3, 1, 2}, {1, 1, 1}, 3, {0, 4});
  REQUIRE(found[0] != found[0]);
  REQUIRE(found[1] == 2);
  REQUIRE(found[2] != found[2]);
}

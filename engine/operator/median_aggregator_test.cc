#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/operator/aggregator.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

double median_of(const std::vector<double>& numbers) {
  return result_of(one_group(numbers), Aggregate::kMed);
}

double plain_median(const PackedValues& values, const std::vector<std::size_t>& members) {
  std::vector<double> numbers;
  for (const std::size_t row : members) {
    if (!values.is_null(row)) numbers.push_back(values.number(row));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.insert(numbers.begin(), members.size() - numbers.size(), std::nan(""));
  if (numbers.empty()) return std::nan("");
  const std::size_t half = numbers.size() / 2;
  const bool is_alone = numbers.size() % 2 != 0 || std::isnan(numbers[half - 1]);
  return is_alone ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

// In two passes by two aggregators each: a batch, and runs of a row.
std::vector<double> medians_in_two_passes(const GroupedRows& rows, ValueRange range) {
  const auto make = [&] {
    auto made = make_median(rows.values.type, &range, *std::pmr::new_delete_resource());
    made->resize(rows.group_count);
    return made;
  };
  std::vector<std::uint32_t> all(rows.group_count);
  std::iota(all.begin(), all.end(), 0U);
  const auto merged = make();
  const std::size_t middle = rows.groups.size() / 2;
  for (const bool is_second : {false, true}) {
    REQUIRE(merged->needs_second_pass());
    const auto other = make();
    if (is_second) {
      merged->begin_second_pass(*merged);
      other->begin_second_pass(*merged);
    }
    merged->update(
        {middle, rows.groups.data(), rows.values.at(0), nullptr, middle, 0, rows.group_count});
    for (std::size_t row = middle; row < rows.groups.size(); ++row)
      other->update_run({rows.groups[row], 1, nullptr, rows.values.at(row), nullptr});
    merged->merge(*other, all);
  }
  REQUIRE_FALSE(merged->needs_second_pass());
  std::vector<double> results(rows.group_count);
  merged->settle();
  merged->finish(all, {}, reinterpret_cast<std::byte*>(results.data()));
  return results;
}

}  // namespace

TEST_CASE("a median is the middle value, or the mean of the middle two") {
  const double infinity = std::numeric_limits<double>::infinity();
  REQUIRE(median_of({5, 1, 3}) == 3);
  REQUIRE(median_of({4, 1, 3, 2}) == 2.5);
  REQUIRE(median_of({-infinity, 7, infinity}) == 7);
  REQUIRE(std::isnan(median_of({-infinity, infinity})));
  REQUIRE(median_of({5e-324, 5e-324, 1}) == 5e-324);
  REQUIRE_FALSE(std::signbit(median_of({-0.0, 0.0, -0.0})));
}

TEST_CASE("nulls come first and count, but the mean of the middle two leaves them out") {
  const double null = std::nan("");
  REQUIRE(median_of({null, 2, 1}) == 1);
  REQUIRE(median_of({1, null}) == 1);
  REQUIRE(median_of({null, 5, 1, 3}) == 2);
  REQUIRE(std::isnan(median_of({null, 7, null})));
}

TEST_CASE("medians in two passes are those of the sorted values, whatever the range says") {
  std::mt19937_64 random(5);
  for (const std::size_t groups : {1, 3, 256}) {
    for (const ValueRange range : {ValueRange{0, 1000}, ValueRange{5, 5}, ValueRange{-1e300, 1}}) {
      const GroupedRows rows = adversarial_rows(QType::kFloat, groups, random);
      std::vector<std::vector<std::size_t>> members(groups + 1);
      for (std::size_t row = 0; row < rows.groups.size(); ++row)
        members[rows.groups[row]].push_back(row);
      const std::vector<double> found = medians_in_two_passes(rows, range);
      for (std::size_t g = 0; g < groups; ++g) {
        const double expected = plain_median(rows.values, members[g]);
        REQUIRE((found[g] == expected || (found[g] != found[g] && expected != expected)));
      }
    }
  }
}

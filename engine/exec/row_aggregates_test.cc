#include "engine/exec/row_aggregates.h"

#include <map>
#include <memory>
#include <random>
#include <utility>

#include "engine/base/catch.h"
#include "engine/testing/test_columns.h"

using namespace hdbench;

namespace {

constexpr std::int64_t kNull = INT64_MIN;

ResultTable rows_of(const std::vector<std::int64_t>& keys, const std::vector<char>& others,
                    const std::vector<std::int64_t>& values) {
  ResultTable table;
  table.rows = keys.size();
  table.columns.push_back(testing::result_column(QType::kLong, keys));
  table.columns.push_back(testing::result_column(QType::kChar, others));
  table.columns.push_back(testing::result_column(QType::kLong, values));
  return table;
}

// max and count by the first two columns.
PlanSource largest_and_count() {
  Plan plan;
  plan.by = {{"key", 0}, {"other", 1}};
  plan.outputs = {{"largest", Aggregate::kMax, 2, {}}, {"n", Aggregate::kCount, {}, {}}};
  PlanSource source;
  source.kind = SourceKind::kLeft;
  source.is_right_over_left = true;
  source.left_keys = {0, 1};
  source.right_keys = {0, 1};
  for (const QType type : {QType::kLong, QType::kChar, QType::kLong, QType::kLong}) {
    source.right.rows.fields.emplace_back();
    source.right.rows.fields.back().type = type;
  }
  source.right.plan = std::make_shared<const Plan>(std::move(plan));
  return source;
}

std::optional<RowAggregates> aggregates_of(const PlanSource& source, const ResultTable& left) {
  return aggregate_rows(source, left, testing::context());
}

}  // namespace

TEST_CASE("each row's place has its group's aggregates") {
  std::mt19937_64 random(11);
  std::vector<std::int64_t> keys, values;
  std::vector<char> others;
  for (int row = 0; row < 200000; ++row) {
    keys.push_back(static_cast<std::int64_t>(random() % 900) - 300);
    others.push_back(static_cast<char>('A' + random() % 20));
    values.push_back(random() % 9 == 0 ? kNull : static_cast<std::int64_t>(random() % 100000));
  }
  std::map<std::pair<std::int64_t, char>, std::pair<std::int64_t, std::int64_t>> expected;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    auto& [largest, count] =
        expected.try_emplace({keys[row], others[row]}, -INT64_MAX, 0).first->second;
    largest = std::max(largest, values[row]);
    ++count;
  }
  const auto found = aggregates_of(largest_and_count(), rows_of(keys, others, values));
  REQUIRE(found);
  REQUIRE(found->matches.size() == keys.size());
  const auto groups = static_cast<std::size_t>(found->groups.rows);
  const auto largest = testing::elements_of<std::int64_t>(found->groups.columns.at(2), groups);
  const auto counts = testing::elements_of<std::int64_t>(found->groups.columns.at(3), groups);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const auto& [its_largest, its_count] = expected.at({keys[row], others[row]});
    REQUIRE(largest.at(found->matches[row]) == its_largest);
    REQUIRE(counts.at(found->matches[row]) == its_count);
  }
}

TEST_CASE("keys that lie apart, and plans that do more than group, are left to others") {
  const PlanSource source = largest_and_count();
  CHECK(aggregates_of(source, rows_of({4, 4, 4}, {'a', 'a', 'a'}, {1, 2, 3})));
  CHECK_FALSE(aggregates_of(source, rows_of({}, {}, {})));
  CHECK_FALSE(aggregates_of(source, rows_of({4, 9, 4}, {'a', 'a', 'a'}, {1, 2, 3})));
  CHECK_FALSE(aggregates_of(source, rows_of({kNull, INT64_MAX}, {'a', 'a'}, {1, 2})));
  CHECK_FALSE(aggregates_of(source, rows_of({4, 5}, {'a', 'b'}, {1, 2})));
  PlanSource other = source;
  Plan plan = *source.right.plan;
  plan.outputs.front().aggregate = Aggregate::kFirst;
  other.right.plan = std::make_shared<const Plan>(plan);
  CHECK_FALSE(aggregates_of(other, rows_of({4, 4}, {'a', 'a'}, {1, 2})));
  plan = *source.right.plan;
  plan.last_rows = true;
  other.right.plan = std::make_shared<const Plan>(plan);
  CHECK_FALSE(aggregates_of(other, rows_of({4, 4}, {'a', 'a'}, {1, 2})));
}

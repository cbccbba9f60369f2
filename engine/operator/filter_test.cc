#include "engine/operator/filter.h"

#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

using namespace hdbench;

namespace {

Column parted_column() {
  const std::vector<std::int64_t> values = {7, 7, 7, 2, 2, 9};
  Column column = make_column<std::int64_t>(QType::kLong, values);
  column.attribute = Attribute::kParted;
  column.index = std::make_shared<PartedIndex>(*make_parted_index(column));
  return column;
}

Column sorted_column() {
  const std::vector<std::int32_t> values = {kNullInt, 1, 1, 4, 9};
  Column column = make_column<std::int32_t>(QType::kInt, values);
  column.attribute = Attribute::kSorted;
  return column;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges(const Condition& condition,
                                                            const Column& column) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  const auto rows = index_ranges(condition, column, RangeForm::kJoined);
  for (const IndexedRange& range : *rows) found.emplace_back(range.rows.begin, range.rows.end);
  return found;
}

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Schema date_and_sym() {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"a", QType::kLong, Attribute::kNone, nullptr}};
  return schema;
}

}  // namespace

TEST_CASE("p gives a range a value, neighbours joined, a missing value none") {
  const Column column = parted_column();
  REQUIRE(ranges({"", 0, RangeTest{2, 2}, false}, column) == Ranges{{3, 5}});
  REQUIRE(ranges({"", 0, RangeTest{2, 8}, false}, column) == Ranges{{0, 5}});
  REQUIRE(ranges({"", 0, SetTest{{7, 9}}, false}, column) == Ranges{{0, 3}, {5, 6}});
  REQUIRE(ranges({"", 0, RangeTest{3, 3}, false}, column).empty());
}

TEST_CASE("p gives a range a key where that is requested, with the key") {
  const auto found =
      index_ranges({"", 0, RangeTest{2, 8}, false}, parted_column(), RangeForm::kOneKeyEach);
  REQUIRE(found->size() == 2);
  REQUIRE((*found)[0].rows.end == (*found)[1].rows.begin);
  REQUIRE((*found)[0].key == 7);
  REQUIRE((*found)[1].key == 2);
  const auto joined =
      index_ranges({"", 0, RangeTest{2, 8}, false}, parted_column(), RangeForm::kJoined);
  REQUIRE(joined->size() == 1);
  REQUIRE_FALSE(joined->front().key.has_value());
}

TEST_CASE("s gives one range by binary search, nulls first") {
  const Column column = sorted_column();
  REQUIRE(ranges({"", 0, RangeTest{1, 4}, false}, column) == Ranges{{1, 4}});
  REQUIRE(ranges({"", 0, RangeTest{INT64_MIN, 0}, false}, column) == Ranges{{0, 1}});
  REQUIRE(ranges({"", 0, RangeTest{10, 20}, false}, column).empty());
  REQUIRE(ranges({"", 0, RangeTest{4, 1}, false}, column).empty());
}

TEST_CASE("a negated condition scans, as does a set on a sorted column") {
  REQUIRE_FALSE(can_use_index({"", 0, RangeTest{2, 2}, true}, parted_column()));
  REQUIRE_FALSE(can_use_index({"", 0, SetTest{{1, 4}}, false}, sorted_column()));
  REQUIRE(can_use_index({"", 0, RangeTest{2, 2}, false}, parted_column()));
}

TEST_CASE("only the first condition after pruning may use an index") {
  Plan plan;
  plan.where = {{"", 0, RangeTest{1, 2}, false},
                {"", 1, RangeTest{1, 2}, false},
                {"", 1, RangeTest{0, 2}, false}};
  REQUIRE(index_candidate(plan, date_and_sym()) == 1);
  plan.where.erase(plan.where.begin());
  REQUIRE(index_candidate(plan, date_and_sym()) == 0);
  plan.where = {{"", 0, RangeTest{1, 2}, true}, {"", 1, RangeTest{1, 2}, false}};
  REQUIRE_FALSE(index_candidate(plan, date_and_sym()).has_value());
  plan.where.clear();
  REQUIRE_FALSE(index_candidate(plan, date_and_sym()).has_value());
}

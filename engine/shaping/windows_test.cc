// What random queries (queries/query_reference_test.cc) do not hold against the reference.
#include "engine/shaping/windows.h"

#include <cmath>
#include <limits>

#include "engine/base/catch.h"
#include "engine/testing/test_columns.h"

using namespace hdbench;

namespace {

using testing::context;

RowSegments segments_of(const std::vector<std::int64_t>& keys) {
  ResultTable table;
  table.rows = keys.size();
  table.columns.push_back(testing::result_column(QType::kLong, keys));
  const std::size_t by[] = {0};
  return make_segments(table, by, context());
}

}  // namespace

TEST_CASE("what has left a moving sum leaves no error behind") {
  constexpr std::size_t kLength = 1000;
  std::vector<double> values(2 * kLength + 2, 0.1);
  values[0] = 1e16;
  values[kLength + 1] = std::numeric_limits<double>::infinity();
  const RowSegments all = segments_of(std::vector<std::int64_t>(values.size(), 7));
  std::vector<std::shared_ptr<const void>> keep_alive;
  const ResultColumn averages = make_window({"w", Uniform::kMavg, 0, kLength, {}},
                                            testing::result_column(QType::kFloat, values),
                                            values.size(), all, context(), keep_alive);
  const auto found = testing::elements_of<double>(averages, values.size());
  CHECK(std::fabs(found[kLength] - 0.1) < 1e-12);
  CHECK(std::isinf(found[kLength + 1]));
  CHECK(std::fabs(found.back() - 0.1) < 1e-12);
}

TEST_CASE("rows of one key that are neighbours stay as they are") {
  const RowSegments runs = segments_of({3, 3, 1, 1});
  CHECK(runs.order.empty());
  CHECK(std::vector<std::uint64_t>(runs.ends.begin(), runs.ends.end()) ==
        std::vector<std::uint64_t>{2, 4});
  const RowSegments mixed = segments_of({3, 1, 3, 1});
  CHECK(std::vector<std::uint32_t>(mixed.order.begin(), mixed.order.end()) ==
        std::vector<std::uint32_t>{0, 2, 1, 3});
}

TEST_CASE("types that a window does not take are reported") {
  CHECK_FALSE(window_type(Uniform::kSums, QType::kSymbol));
  CHECK_FALSE(window_type(Uniform::kPrds, QType::kTimespan));
  CHECK(window_type(Uniform::kDeltas, QType::kTimestamp) == QType::kTimespan);
  CHECK(window_type(Uniform::kDeltas, QType::kBoolean) == QType::kInt);
  CHECK(window_type(Uniform::kSums, QType::kInt) == QType::kLong);
  CHECK(window_type(Uniform::kPrev, QType::kNested) == QType::kNested);
  CHECK_FALSE(window_type(Uniform::kDiffer, QType::kNested));
}

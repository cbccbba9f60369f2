#include "engine/shaping/windows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory_resource>
#include <random>

#include "engine/base/catch.h"
#include "engine/shaping/moving_sum.h"
#include "engine/testing/test_columns.h"

using namespace hdbench;

namespace {

// Rows of three groups, mixed; some values are null.
struct MixedRows {
  explicit MixedRows(std::size_t count) : rows(count) {
    std::mt19937_64 random(count);
    for (std::size_t row = 0; row < count; ++row) {
      groups.push_back(static_cast<std::int64_t>(random() % 3));
      longs.push_back(random() % 7 == 0 ? kNullLong : static_cast<std::int64_t>(random() % 100));
      floats.push_back(longs.back() == kNullLong ? std::numeric_limits<double>::quiet_NaN()
                                                 : static_cast<double>(longs.back()) / 8);
    }
    table.rows = count;
    table.columns.push_back(testing::result_column(QType::kLong, groups));
  }

  // Those of a row's group up to it.
  std::vector<std::size_t> before(std::size_t row) const {
    std::vector<std::size_t> found;
    for (std::size_t other = 0; other <= row; ++other) {
      if (groups[other] == groups[row]) found.push_back(other);
    }
    return found;
  }

  std::size_t rows;
  std::vector<std::int64_t> groups;
  std::vector<std::int64_t> longs;
  std::vector<double> floats;
  ResultTable table;
};

ResultColumn window_of(const MixedRows& mixed, Uniform function, const ResultColumn& input,
                       std::int64_t length = 0) {
  static ThreadPool pool(2);
  std::pmr::memory_resource& heap = *std::pmr::new_delete_resource();
  const std::size_t by[] = {0};
  AccessLog accesses(0, nullptr);
  const RowSegments segments = make_segments(mixed.table, by, testing::pool(), heap, accesses);
  return make_window({"w", function, 0, length, {0}}, input, mixed.rows, segments, pool, heap);
}

bool is_same(double a, double b) {
  return (a != a && b != b) || a == b || std::fabs(a - b) <= 1e-12 * std::fabs(a);
}

}  // namespace

TEST_CASE("windows of whole numbers are those of a plain loop") {
  const MixedRows mixed(500);
  const ResultColumn input = testing::result_column(QType::kLong, mixed.longs);
  const auto of = [&](Uniform function, std::int64_t length = 0) {
    return testing::elements_of<std::int64_t>(window_of(mixed, function, input, length),
                                              mixed.rows);
  };
  const auto sums = of(Uniform::kSums);
  const auto maxs = of(Uniform::kMaxs);
  const auto msum = of(Uniform::kMsum, 3);
  const auto mmin = of(Uniform::kMmin, 3);
  const auto deltas = of(Uniform::kDeltas);
  const auto previous = of(Uniform::kXprev, 2);
  const auto fills = of(Uniform::kFills);
  for (std::size_t row = 0; row < mixed.rows; ++row) {
    const auto before = mixed.before(row);
    std::int64_t sum = 0, greatest = -std::numeric_limits<std::int64_t>::max(), filled = kNullLong;
    for (const std::size_t other : before) {
      if (mixed.longs[other] == kNullLong) continue;
      sum += mixed.longs[other];
      greatest = std::max(greatest, mixed.longs[other]);
      filled = mixed.longs[other];
    }
    CHECK(sums[row] == sum);
    CHECK(maxs[row] == greatest);
    CHECK(fills[row] == filled);
    const std::size_t n = before.size();
    std::int64_t last_sum = 0, least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = n > 3 ? n - 3 : 0; i < n; ++i) {
      const std::int64_t value = mixed.longs[before[i]];
      if (value != kNullLong) last_sum += value;
      least = std::min(least, value);
    }
    CHECK(msum[row] == last_sum);
    CHECK(mmin[row] == least);
    const std::int64_t now = mixed.longs[row];
    const std::int64_t then = n < 2 ? 0 : mixed.longs[before[n - 2]];
    CHECK(deltas[row] == (now == kNullLong || then == kNullLong ? kNullLong : now - then));
    CHECK(previous[row] == (n < 3 ? kNullLong : mixed.longs[before[n - 3]]));
  }
}

TEST_CASE("windows of floats are those of a plain loop") {
  const MixedRows mixed(500);
  const ResultColumn input = testing::result_column(QType::kFloat, mixed.floats);
  const auto mavg =
      testing::elements_of<double>(window_of(mixed, Uniform::kMavg, input, 5), mixed.rows);
  const auto mdev =
      testing::elements_of<double>(window_of(mixed, Uniform::kMdev, input, 5), mixed.rows);
  const auto counts =
      testing::elements_of<std::int32_t>(window_of(mixed, Uniform::kMcount, input, 5), mixed.rows);
  for (std::size_t row = 0; row < mixed.rows; ++row) {
    const auto before = mixed.before(row);
    double sum = 0, squares = 0;
    int count = 0;
    for (std::size_t i = before.size() > 5 ? before.size() - 5 : 0; i < before.size(); ++i) {
      const double value = mixed.floats[before[i]];
      if (value != value) continue;
      sum += value;
      ++count;
    }
    for (std::size_t i = before.size() > 5 ? before.size() - 5 : 0; i < before.size(); ++i) {
      const double off = mixed.floats[before[i]] - sum / count;
      if (off == off) squares += off * off;
    }
    CHECK(is_same(mavg[row], sum / count));
    CHECK(is_same(mdev[row], count == 0 ? sum / count : std::sqrt(squares / count)));
    CHECK(counts[row] == count);
  }
}

TEST_CASE("what has left a moving sum leaves no error behind") {
  MovingSum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i) sum.add(0.1);
  sum.remove(1e16);
  CHECK(is_same(sum.average(), 0.1));
  sum.add(std::numeric_limits<double>::infinity());
  CHECK(std::isinf(sum.average()));
  sum.remove(std::numeric_limits<double>::infinity());
  CHECK(is_same(sum.average(), 0.1));
}

TEST_CASE("rows of one key that are neighbours stay as they are") {
  ResultTable table;
  table.rows = 4;
  table.columns.push_back(testing::result_column<std::int64_t>(QType::kLong, {3, 3, 1, 1}));
  const std::size_t by[] = {0};
  std::pmr::memory_resource& heap = *std::pmr::new_delete_resource();
  AccessLog accesses(0, nullptr);
  const RowSegments runs = make_segments(table, by, testing::pool(), heap, accesses);
  CHECK(runs.order.empty());
  CHECK(std::vector<std::uint64_t>(runs.ends.begin(), runs.ends.end()) ==
        std::vector<std::uint64_t>{2, 4});
  table.columns[0] = testing::result_column<std::int64_t>(QType::kLong, {3, 1, 3, 1});
  const RowSegments mixed = make_segments(table, by, testing::pool(), heap, accesses);
  CHECK(std::vector<std::uint32_t>(mixed.order.begin(), mixed.order.end()) ==
        std::vector<std::uint32_t>{0, 2, 1, 3});
}

TEST_CASE("types that a window does not take are told") {
  CHECK_FALSE(window_type(Uniform::kSums, QType::kSymbol));
  CHECK_FALSE(window_type(Uniform::kPrds, QType::kTimespan));
  CHECK(window_type(Uniform::kDeltas, QType::kTimestamp) == QType::kTimespan);
  CHECK(window_type(Uniform::kDeltas, QType::kBoolean) == QType::kInt);
  CHECK(window_type(Uniform::kSums, QType::kInt) == QType::kLong);
  CHECK(window_type(Uniform::kPrev, QType::kNested) == QType::kNested);
  CHECK_FALSE(window_type(Uniform::kDiffer, QType::kNested));
}

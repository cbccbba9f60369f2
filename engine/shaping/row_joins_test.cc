#include "engine/shaping/row_joins.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/kernel/bits.h"
#include "engine/testing/test_columns.h"

using namespace hdbench;

namespace {

ResultTable keyed_rows(const std::vector<std::int64_t>& keys,
                       const std::vector<std::int64_t>& times) {
  ResultTable table;
  table.rows = keys.size();
  table.columns.push_back(testing::result_column(QType::kLong, keys));
  table.columns.push_back(testing::result_column(QType::kTimespan, times));
  return table;
}

Matches matches_of(SourceKind kind, const ResultTable& left, const ResultTable& right,
                   std::vector<std::size_t> keys) {
  PlanSource source;
  source.kind = kind;
  source.left_keys = keys;
  source.right_keys = keys;
  return match_rows(source, left, right, testing::context());
}

}  // namespace

TEST_CASE("as-of matches are those of a plain search, whatever the order of the right rows") {
  std::mt19937_64 random(7);
  for (const bool is_sorted : {true, false}) {
    for (const bool has_marks : {true, false}) {
      std::vector<std::int64_t> left_keys, left_times, keys, times;
      for (int row = 0; row < 3000; ++row) {
        left_keys.push_back(static_cast<std::int64_t>(random() % 12));
        left_times.push_back(static_cast<std::int64_t>(random() % 500));
      }
      for (int row = 0; row < 2000; ++row) {
        keys.push_back(static_cast<std::int64_t>(random() % 10));
        times.push_back(is_sorted ? row / 4 : static_cast<std::int64_t>(random() % 500));
      }
      ResultTable right = keyed_rows(keys, times);
      std::vector<bool> is_marked(keys.size(), true);
      if (has_marks) {
        right.marks = Buffer(testing::context().memory, words_for(keys.size()) * 8);
        auto* const words = reinterpret_cast<std::uint64_t*>(right.marks.data());
        std::fill_n(words, words_for(keys.size()), 0);
        for (std::size_t row = 0; row < keys.size(); ++row) {
          // One key has no marked row, and of another those between are not marked.
          is_marked[row] =
              keys[row] != 3 && (keys[row] != 4 || row < 300 || row > 1500) && random() % 4 != 0;
          if (is_marked[row]) words[row / kWordRows] |= 1ULL << row % kWordRows;
        }
      }
      const Matches found =
          matches_of(SourceKind::kAsOf, keyed_rows(left_keys, left_times), right, {0, 1});
      for (std::size_t row = 0; row < left_keys.size(); ++row) {
        std::uint32_t best = kNoMatch;
        for (std::uint32_t other = 0; other < keys.size(); ++other) {
          if (!is_marked[other] || keys[other] != left_keys[row] || times[other] > left_times[row])
            continue;
          if (best == kNoMatch || times[other] >= times[best]) best = other;
        }
        REQUIRE(found[row] == best);
      }
    }
  }
}

TEST_CASE("matches by key are the first right rows") {
  const ResultTable left = keyed_rows({4, 1, 9, 4}, {0, 0, 0, 0});
  const ResultTable right = keyed_rows({1, 4, 4, 2}, {0, 0, 0, 0});
  const Matches found = matches_of(SourceKind::kLeft, left, right, {0});
  CHECK(std::vector<std::uint32_t>(found.begin(), found.end()) ==
        std::vector<std::uint32_t>{1, 0, kNoMatch, 1});
  const Matches none = matches_of(SourceKind::kLeft, left, keyed_rows({}, {}), {0});
  CHECK(none[0] == kNoMatch);
  const Matches all = matches_of(SourceKind::kLeft, left, right, {});
  CHECK(all[3] == 0);
}

TEST_CASE("symbols of two domains are compared by their texts") {
  ResultTable left, right;
  left.rows = right.rows = 3;
  left.columns.push_back(testing::result_column<std::int64_t>(QType::kSymbol, {0, 1, 2},
                                                              make_domain("a", {"x", "y", "z"})));
  right.columns.push_back(testing::result_column<std::int64_t>(QType::kSymbol, {0, 1, 2},
                                                               make_domain("b", {"z", "w", "x"})));
  const Matches found = matches_of(SourceKind::kLeft, left, right, {0});
  CHECK(found[0] == 2);
  CHECK(found[1] == kNoMatch);
  CHECK(found[2] == 0);
}

TEST_CASE("a join shows nulls, or the left side's own, where no right row is") {
  QueryContext& context = testing::context();
  const ResultTable right = keyed_rows({1}, {70});
  PlanSource source;
  source.kind = SourceKind::kLeft;
  source.left_keys = source.right_keys = {0};
  source.columns = {{"k", false, 0, {}}, {"t", true, 1, {}}};
  const auto times = [&](std::optional<std::size_t> otherwise) {
    source.columns[1].otherwise = otherwise;
    ResultTable left = keyed_rows({1, 2}, {5, 6});
    Matches found = match_rows(source, left, right, context);
    const ResultTable joined = join_rows(source, std::move(left), right, std::move(found), context);
    std::vector<std::int64_t> shown(joined.rows);
    std::memcpy(shown.data(), joined.columns[1].buffer.data(), joined.rows * 8);
    return shown;
  };
  CHECK(times({}) == std::vector<std::int64_t>{70, kNullLong});
  CHECK(times(1) == std::vector<std::int64_t>{70, 6});
  source.kind = SourceKind::kInner;
  CHECK(times({}) == std::vector<std::int64_t>{70});
}

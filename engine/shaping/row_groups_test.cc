#include "engine/shaping/row_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/catch.h"
#include "engine/testing/test_columns.h"

namespace hdbench {
namespace {

using Numbers = std::vector<std::uint32_t>;

Words words_of(const std::vector<std::int64_t>& values) {
  Words words(values.size(), testing::heap());
  std::copy(values.begin(), values.end(), words.begin());
  return words;
}

// By row.
Numbers groups_of(const RowGroups& groups) {
  Numbers all;
  for (std::size_t r = 0; r < groups.runs().size(); ++r)
    all.insert(all.end(), groups.end_of(r) - groups.runs()[r].begin, groups.runs()[r].group);
  return all;
}

Numbers numbers(std::span<const std::uint32_t> of) { return {of.begin(), of.end()}; }

}  // namespace

TEST_CASE("keys are numbered in the order of their first rows") {
  AccessLog accesses(0, nullptr);
  const Words keys[] = {words_of({7, 7, 3, 7, 3}), words_of({1, 1, 1, 2, 1})};
  const RowGroups groups(keys, testing::pool(), testing::heap(), accesses);
  CHECK(groups.count() == 3);
  CHECK(groups_of(groups) == Numbers{0, 0, 1, 2, 1});
  CHECK(groups.runs().size() == 4);
  CHECK(numbers(groups.first_rows()) == Numbers{0, 2, 3});
  const Words others[] = {words_of({3, 3, 7}), words_of({1, 2, 2})};
  CHECK(groups.find(others, 0) == 1);
  CHECK(groups.find(others, 1) == RowGroups::kNone);
  CHECK(groups.find(others, 2) == 2);

  const RowSegments segments = make_segments(groups, testing::heap(), accesses);
  CHECK(numbers(segments.order) == Numbers{0, 1, 2, 4, 3});
  CHECK(segments.ends.size() == 3);
  CHECK(segments.ends.back() == 5);
}

TEST_CASE("keys stay what they are while their table grows") {
  AccessLog accesses(0, nullptr);
  constexpr std::int64_t kKeys = 50'000;
  std::vector<std::int64_t> values;
  for (std::int64_t row = 0; row < 3 * kKeys; ++row)
    values.push_back((row * 7919 % kKeys) * (std::int64_t{1} << 40));
  const Words keys[] = {words_of(values)};
  const RowGroups groups(keys, testing::pool(), testing::heap(), accesses);
  std::map<std::int64_t, std::uint32_t> known;
  bool is_right = true;
  const Numbers by_row = groups_of(groups);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto next = static_cast<std::uint32_t>(known.size());
    const std::uint32_t number = known.emplace(values[row], next).first->second;
    is_right &= by_row[row] == number && groups.find(keys, row) == number;
  }
  CHECK(is_right);
  CHECK(groups.count() == kKeys);
}

}  // namespace hdbench

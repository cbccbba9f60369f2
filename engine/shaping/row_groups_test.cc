#include "engine/shaping/row_groups.h"

#include <map>
#include <utility>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::pmr::memory_resource& heap() { return *std::pmr::new_delete_resource(); }

Words words_of(const std::vector<std::int64_t>& values) {
  return Words(values.begin(), values.end(), &heap());
}

Numbers numbers(std::span<const std::uint32_t> of) { return {of.begin(), of.end()}; }

}  // namespace

TEST_CASE("keys are numbered in the order of their first rows") {
  AccessLog accesses(0, nullptr);
  const Words keys[] = {words_of({7, 7, 3, 7, 3}), words_of({1, 1, 1, 2, 1})};
  const RowGroups groups(keys, heap(), accesses);
  CHECK(groups.count() == 3);
  CHECK(numbers(groups.groups()) == Numbers{0, 0, 1, 2, 1});
  CHECK(numbers(groups.first_rows()) == Numbers{0, 2, 3});
  const Words others[] = {words_of({3, 3, 7}), words_of({1, 2, 2})};
  CHECK(groups.find(others, 0) == 1);
  CHECK(groups.find(others, 1) == RowGroups::kNone);
  CHECK(groups.find(others, 2) == 2);

  const RowSegments segments = make_segments(groups, heap(), accesses);
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
  const RowGroups groups(keys, heap(), accesses);
  std::map<std::int64_t, std::uint32_t> known;
  bool is_right = true;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto next = static_cast<std::uint32_t>(known.size());
    const std::uint32_t number = known.emplace(values[row], next).first->second;
    is_right &= groups.groups()[row] == number && groups.find(keys, row) == number;
  }
  CHECK(is_right);
  CHECK(groups.count() == kKeys);
}

}  // namespace hdbench

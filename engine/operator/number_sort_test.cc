#include "engine/operator/number_sort.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("numbers of any span are sorted, equal ones in their order") {
  std::mt19937_64 random(5);
  for (const std::size_t count : {0u, 1u, 2u, 511u, 512u, 5000u, 70'000u}) {
    for (const std::uint64_t span :
         {std::uint64_t{1}, std::uint64_t{2000}, std::uint64_t{1} << 22, std::uint64_t{1} << 44,
          std::uint64_t{1} << 45, std::numeric_limits<std::uint64_t>::max()}) {
      const std::int64_t base =
          random() % 2 == 0 ? std::numeric_limits<std::int64_t>::min() : -1000;
      std::vector<Numbered> items(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t number = static_cast<std::uint64_t>(base) + random() % span;
        items[i] = {static_cast<std::int64_t>(number), i};
      }
      std::vector<Numbered> expected = items;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
      std::vector<Numbered> room(count);
      sort_numbered(items, room);
      bool same = true;
      for (std::size_t i = 0; i < count; ++i)
        same &= items[i].number == expected[i].number && items[i].group == expected[i].group;
      INFO(count << " numbers, span " << span);
      REQUIRE(same);
    }
  }
}

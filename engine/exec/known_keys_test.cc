#include "engine/exec/known_keys.h"

#include <vector>

#include "engine/base/catch.h"
#include "engine/exec/execute.h"
#include "engine/exec/narrow_days.h"
#include "engine/exec/row_reference.h"

using namespace hdbench;

TEST_CASE("groups that come and go from piece to piece keep their last rows, codes of one byte") {
  Workspace workspace = unlimited();
  // A piece is a morsel: symbol 2 is in few rows of a day's second one only, symbol 1 is gone after
  // the first day's. From row 1000 on, the first words of a day's first piece have no selected row.
  const auto table = two_narrow_days(
      [](std::uint64_t i) {
        if (i % kDayRows > 40000 && i % kDayRows < 40010) return std::uint8_t{2};
        return static_cast<std::uint8_t>(i < 50000 ? i % 2 : 0);
      },
      [](std::uint64_t i) { return static_cast<std::uint8_t>(i / 1000 % 5); });
  for (const auto& keys : narrow_keys()) {
    for (const std::int64_t least_size : {0, 1000, 40005, 299500}) {
      const Plan plan = last_by(keys, least_size);
      const PlainResult expected = run_by_rows(*table, plan);
      for (const std::size_t threads : {1, 2}) {
        ThreadPool pool(threads);
        const auto result = execute(*table, plan, {}, pool, workspace);
        INFO(keys.back().name << " of " << keys.size() << ", size>=" << least_size);
        REQUIRE(result.ok());
        REQUIRE(first_difference(to_plain(*result), expected) == "");
      }
    }
  }
}

#include "engine/exec/last_row_scan.h"

#include <array>
#include <map>
#include <memory>

#include "engine/base/catch.h"
#include "engine/exec/narrow_days.h"

using namespace hdbench;

TEST_CASE("a group that is noted again keeps its highest row") {
  GroupIndex index(std::vector<std::uint64_t>{8}, *std::pmr::new_delete_resource());
  std::pmr::vector<std::uint64_t> rows;
  LastRows last{index, rows};
  REQUIRE(last.note(5, RowId::make(0, 70)));
  REQUIRE(last.note(2, RowId::make(0, 71)));
  REQUIRE_FALSE(last.note(5, RowId::make(1, 3)));
  REQUIRE_FALSE(last.note(5, RowId::make(0, 99)));
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0] == RowId::make(1, 3));
  REQUIRE(rows[1] == RowId::make(0, 71));
}

TEST_CASE("morsels may come in any order") {
  ThreadPool pool(1);
  const auto sym = [](std::uint64_t i) { return static_cast<std::uint8_t>(i / 7000 % 3); };
  const auto venue = [](std::uint64_t i) { return static_cast<std::uint8_t>(i % 5); };
  const auto table = two_narrow_days(sym, venue);
  const Plan plan = last_by({{"sym", kSym}, {"venue", kVenue}, {"desk", kDesk}}, 1000);
  const auto input = make_query_input(*table, plan, {}, pool);
  REQUIRE(input.ok());
  std::map<std::array<std::uint64_t, 3>, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 2 * kDayRows; ++i) {
    const std::uint64_t row = i % kDayRows;
    if (row >= 1000)
      expected[{sym(i), venue(i), 290 + row / 100 % 4}] = RowId::make(i / kDayRows, row);
  }
  const auto keys = make_key_columns(table->schema(), plan, input->slices, std::nullopt);
  for (const std::size_t stride : {1, 5, 7}) {
    GroupIndex index(word_cardinalities(keys), *std::pmr::new_delete_resource());
    std::pmr::vector<std::uint64_t> rows;
    const auto scan = std::make_unique<LastRowScan>(*input, keys, index);
    TouchLog touched(table->schema().fields.size(), nullptr);
    const std::size_t morsels = input->morsels.size();
    for (std::size_t first = 0; first < stride; ++first) {
      for (std::size_t m = first; m < morsels; m += stride)
        scan->take(stride == 7 ? morsels - 1 - m : m, touched, {index, rows});
    }
    REQUIRE(index.size() == expected.size());
    for (std::uint32_t group = 0; group < index.size(); ++group) {
      const std::uint64_t* const key = index.key(group);
      REQUIRE(rows[group] == expected.at({key[0], key[1], key[2]}));
    }
  }
}

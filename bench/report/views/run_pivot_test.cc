#include "bench/report/views/run_pivot.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

CellResult cell_of(std::string medium, Cache cache, AttrUse attr, double real_ms) {
  CellResult cell;
  cell.query = 1;
  cell.setting.medium = std::move(medium);
  cell.setting.cache = cache;
  cell.setting.attr = attr;
  cell.real_ms = {real_ms};
  cell.rows_out = 1;
  return cell;
}

TEST_CASE("no cells give no blocks and no columns") {
  const std::vector<CellResult> cells;
  const RunPivot pivot(cells);
  CHECK(pivot.blocks().empty());
  CHECK(pivot.columns().empty());
  CHECK(pivot.queries().empty());
}

TEST_CASE("what was run cold comes first, wherever it was in the run") {
  const std::vector<CellResult> cells{cell_of("dram", Cache::kWarm, AttrUse::kNone, 2),
                                      cell_of("nvme", Cache::kWarm, AttrUse::kNone, 4),
                                      cell_of("nvme", Cache::kCold, AttrUse::kNone, 8)};
  const RunPivot pivot(cells);
  REQUIRE(pivot.columns().size() == 3);
  CHECK(pivot.columns()[0].medium == "nvme");
  CHECK(pivot.columns()[0].cache == Cache::kCold);
  CHECK(pivot.columns()[0].shows_cache);
  CHECK(pivot.columns()[2].shows_cache);
  CHECK_FALSE(pivot.columns()[1].shows_cache);
  CHECK(pivot.ratio(pivot.blocks()[0], pivot.columns()[1], 1).value() == 4);
  CHECK(pivot.mean_ratio(pivot.blocks()[0], pivot.columns()[2]).value() == Approx(2));
}

TEST_CASE("unparted cells stand in only where a column has no parted ones") {
  const std::vector<CellResult> cells{cell_of("nvme", Cache::kCold, AttrUse::kNone, 8),
                                      cell_of("dram", Cache::kWarm, AttrUse::kNone, 2),
                                      cell_of("dram", Cache::kWarm, AttrUse::kParted, 1)};
  const RunPivot pivot(cells);
  const PivotBlock& parted = pivot.blocks().at(1);
  REQUIRE(parted.attr == AttrUse::kParted);
  CHECK(pivot.stands_in(parted, pivot.columns()[0]));
  CHECK_FALSE(pivot.stands_in(parted, pivot.columns()[1]));
  CHECK(pivot.ratio(parted, pivot.columns()[1], 1).value() == 8);
}

TEST_CASE("stored and narrow codes are columns of their own") {
  std::vector<CellResult> cells{cell_of("dram", Cache::kWarm, AttrUse::kNone, 8),
                                cell_of("dram", Cache::kWarm, AttrUse::kNone, 2)};
  cells[1].setting.codes = Codes::kNarrow;
  const RunPivot pivot(cells);
  CHECK(pivot.blocks().size() == 1);
  REQUIRE(pivot.columns().size() == 2);
  CHECK(pivot.columns()[1].codes == Codes::kNarrow);
  CHECK(pivot.ratio(pivot.blocks()[0], pivot.columns()[1], 1).value() == 4);
}

TEST_CASE("there is no ratio to a cell that the limit stopped or that is absent") {
  std::vector<CellResult> cells{cell_of("nvme", Cache::kCold, AttrUse::kNone, 8),
                                cell_of("dram", Cache::kWarm, AttrUse::kNone, 2)};
  cells[0].rows_out.reset();
  const RunPivot pivot(cells);
  CHECK_FALSE(pivot.ratio(pivot.blocks()[0], pivot.columns()[1], 1));
  CHECK_FALSE(pivot.ratio(pivot.blocks()[0], pivot.columns()[1], 2));
  CHECK_FALSE(pivot.mean_ratio(pivot.blocks()[0], pivot.columns()[1]));
}

}  // namespace
}  // namespace hdbench

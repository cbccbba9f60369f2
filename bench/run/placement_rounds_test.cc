#include "bench/run/placement_rounds.h"

#include <algorithm>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::vector<CellResult> cells_of(std::size_t cold, std::size_t warm) {
  std::vector<CellResult> cells(cold + warm);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].setting.cache = i < warm ? Cache::kWarm : Cache::kCold;
  }
  return cells;
}

TEST_CASE("no cells have an empty order") { CHECK(order_of_round({}, 1, 0).empty()); }

TEST_CASE("every cell comes once, and cold ones first") {
  const auto cells = cells_of(5, 7);
  auto order = order_of_round(cells, 1, 1);
  CHECK(std::all_of(order.begin(), order.begin() + 5, [](std::size_t i) { return i >= 7; }));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == i);
}

TEST_CASE("the same seed and round give the same order, others another") {
  const auto cells = cells_of(0, 20);
  CHECK(order_of_round(cells, 1, 1) == order_of_round(cells, 1, 1));
  CHECK(order_of_round(cells, 1, 1) != order_of_round(cells, 1, 2));
  CHECK(order_of_round(cells, 1, 1) != order_of_round(cells, 2, 1));
}

}  // namespace

}  // namespace hdbench::bench

#include "bench/model/repetition_rule.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult cell_of(std::vector<double> times) {
  CellResult cell;
  cell.real_ms = std::move(times);
  return cell;
}

TEST_CASE("a cell that has not run wants to, one with an error does not") {
  CellResult cell;
  CHECK(RepetitionRule{}.wants_more(cell));
  cell.error = "0N";
  CHECK_FALSE(RepetitionRule{}.wants_more(cell));
}

TEST_CASE("equal times are enough when the least count is reached") {
  const RepetitionRule rule{3, 9, 0.05};
  CHECK(rule.wants_more(cell_of({1, 1})));
  CHECK_FALSE(rule.wants_more(cell_of({1, 1, 1})));
}

TEST_CASE("times that lie apart are repeated until the most") {
  const RepetitionRule rule{3, 5, 0.05};
  CHECK(rule.wants_more(cell_of({1, 2, 3})));
  CHECK_FALSE(rule.wants_more(cell_of({1, 2, 3, 4, 5})));
}

TEST_CASE("an exact count is that count, however far the times lie apart") {
  CHECK(exactly(2).wants_more(cell_of({1})));
  CHECK_FALSE(exactly(2).wants_more(cell_of({1, 100})));
}

TEST_CASE("visits share the repetitions") {
  const RepetitionRule rule{5, 15, 0.05};
  const RepetitionRule third = rule.of_reload(3);
  CHECK(third.least == 2);
  CHECK(third.most == 5);
  CHECK(third.precision == 0.05);
  CHECK(rule.of_reload(1).least == 5);
  CHECK(rule.of_reload(100).least == 1);
}

TEST_CASE("one repetition has no interval, so precision asks for a second") {
  const RepetitionRule rule{1, 5, 0.05};
  CHECK(rule.wants_more(cell_of({1})));
}

}  // namespace
}  // namespace hdbench::bench

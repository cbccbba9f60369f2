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

TEST_CASE("a cell is repeated from the least to the most, until its interval is narrow enough") {
  struct Case {
    RepetitionRule rule;
    std::vector<double> times;
    bool wants_more;
  };
  for (const Case& one :
       {Case{{3, 9, 0.05}, {1, 1}, true}, Case{{3, 9, 0.05}, {1, 1, 1}, false},
        Case{{3, 5, 0.05}, {1, 2, 3}, true}, Case{{3, 5, 0.05}, {1, 2, 3, 4, 5}, false},
        // One repetition has no interval.
        Case{{1, 5, 0.05}, {1}, true}, Case{exactly(2), {1}, true},
        Case{exactly(2), {1, 100}, false}}) {
    CHECK(one.rule.wants_more(cell_of(one.times)) == one.wants_more);
  }
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

}  // namespace
}  // namespace hdbench::bench

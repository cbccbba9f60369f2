#include "bench/base/progress.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("progress of nothing is none") {
  CHECK(progress_line("run", 0, 0, "", 79) == "run  [....................]   0 %");
}

TEST_CASE("progress shows its part and never more than all of it") {
  CHECK(progress_line("run", 1, 2, "Q07", 79) == "run  [##########..........]  50 %  Q07");
  CHECK(progress_line("run", 3, 2, "", 79) == "run  [####################] 100 %");
}

TEST_CASE("a progress line is cut to the terminal") {
  CHECK(progress_line("run", 1, 2, std::string(200, 'x'), 40).size() == 40);
}

}  // namespace
}  // namespace hdbench::bench

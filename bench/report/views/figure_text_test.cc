#include "bench/report/views/figure_text.h"

#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("threads are told with CPUs that do not suffice") {
  CHECK(threads_on_cpus(1, 0) == "1 thread");
  CHECK(threads_on_cpus(2, 2) == "2 threads");
  CHECK(threads_on_cpus(2, 1) == "2 threads on 1 CPU");
  CHECK(threads_on_cpus(8, 2) == "8 threads on 2 CPUs");
}

TEST_CASE("an interval wider than any use is told as such") {
  CHECK(plus_minus_text(0.021) == "+-2 %");
  CHECK(plus_minus_text(10) == "+-1000 %");
  CHECK(plus_minus_text(977.93) == "more than +-1000 %");
}

}  // namespace hdbench::bench

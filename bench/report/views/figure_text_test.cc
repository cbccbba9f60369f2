#include "bench/report/views/figure_text.h"

#include "engine/base/catch.h"

namespace hdbench::bench {

TEST_CASE("threads are reported with CPUs that do not suffice") {
  CHECK(threads_on_cpus(1, 0) == "1 thread");
  CHECK(threads_on_cpus(2, 2) == "2 threads");
  CHECK(threads_on_cpus(2, 1) == "2 threads on 1 CPU");
  CHECK(threads_on_cpus(8, 2) == "8 threads on 2 CPUs");
}

TEST_CASE("an interval wider than any use is reported as such") {
  CHECK(plus_minus_text(0.021) == "+-2 %");
  CHECK(plus_minus_text(10) == "+-1000 %");
  CHECK(plus_minus_text(977.93) == "more than +-1000 %");
}

TEST_CASE("figures have their units") {
  CHECK(threads_text(0) == "0 threads");
  CHECK(threads_text(1) == "1 thread");
  CHECK(whole_mib(0) == 0);
  CHECK(whole_mib(1) == 1);
  CHECK(whole_mib(1 << 20) == 1);
  CHECK(time_text(0.5) == "0.500 ms");
  CHECK(time_text(999.6) == "1.00 s");
  CHECK(time_text(130'000) == "2.2 min");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
  CHECK(listed({}).empty());
  CHECK(ratio_with_interval({2, Interval{1.5, 12}}) == "2.00x (1.50 to 12.0)");
}

}  // namespace hdbench::bench

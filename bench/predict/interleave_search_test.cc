#include "bench/predict/interleave_search.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// Milliseconds of bytes of which a share lies locally, on two sides that work at the same time.
double ms_of_two(double local_gb_s, double far_gb_s, double work_ms, double local_share) {
  return std::max({work_ms, 100 * local_share / local_gb_s, 100 * (1 - local_share) / far_gb_s});
}

double best_of_all_ms(const std::function<double(double)>& ms_at) {
  double best = ms_at(0.5);
  for (int local = 1; local <= 255; ++local) {
    for (int far = 1; far <= 255; ++far)
      best = std::min(best, ms_at(static_cast<double>(local) / (local + far)));
  }
  return best;
}

TEST_CASE("the weights found are within 3 % of the best of all weights") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> rate(5, 600);
  for (int k = 0; k < 40; ++k) {
    const double local = rate(random), far = rate(random) / 4, work = k % 4 == 0 ? 0.3 : 0;
    const auto ms_at = [&](double share) { return ms_of_two(local, far, work, share); };
    const InterleaveRatio found = least_interleave(ms_at);
    REQUIRE(found.local >= 1);
    REQUIRE(found.far >= 1);
    const double share = static_cast<double>(found.local) / (found.local + found.far);
    CHECK(ms_at(share) <= 1.03 * best_of_all_ms(ms_at));
  }
}

TEST_CASE("of weights that are as good the smallest is taken") {
  CHECK(least_interleave([](double) { return 1.0; }).local == 1);
  const InterleaveRatio three =
      least_interleave([](double share) { return ms_of_two(75, 25, 0, share); });
  CHECK(three.local == 3);
  CHECK(three.far == 1);
}

}  // namespace
}  // namespace hdbench::bench

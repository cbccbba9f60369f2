// The fit of a burst, on times made up by rule.
#include <cmath>
#include <random>
#include <vector>

#include "bench/machine/disk_probe.h"
#include "engine/base/catch.h"

using namespace hdbench;
using namespace hdbench::bench;

namespace {

constexpr double kRead = 1 << 20;

// A bucket's: how long each of so many reads takes that follow one another.
std::vector<double> reads_through(double bytes, double rate, double own_rate, bool in_steps,
                                  std::size_t count) {
  std::vector<double> seconds;
  double now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double taken = static_cast<double>(i + 1) * kRead;
    double allowed_at = (taken - bytes) / rate;
    if (in_steps) allowed_at = std::ceil(taken / bytes - 1) * bytes / rate;
    const double end = std::max(now, allowed_at) + kRead / own_rate;
    seconds.push_back(end - now);
    now = end;
  }
  return seconds;
}

}  // namespace

TEST_CASE("no reads, few reads and reads that are all alike show no burst") {
  CHECK_FALSE(fit_burst({}, kRead));
  CHECK_FALSE(fit_burst(std::vector<double>(3, 0.001), kRead));
  CHECK_FALSE(fit_burst(std::vector<double>(200, 0.001), kRead));
}

TEST_CASE("reads of a noisy disk show no burst") {
  std::mt19937 random(1);
  std::vector<double> seconds;
  for (int i = 0; i < 300; ++i) {
    const auto times = static_cast<double>(random() % 40 + 2);
    seconds.push_back(random() % 10 == 0 ? 0.001 * times : 0.001);
  }
  CHECK_FALSE(fit_burst(seconds, kRead));
}

TEST_CASE("a bucket larger than all that was read is not found") {
  CHECK_FALSE(fit_burst(reads_through(1e9, 170e6, 1.3e9, false, 200), kRead));
}

TEST_CASE("a bucket that is refilled in steps is found with its size, its rates and its form") {
  for (const double rate : {60e6, 170e6}) {
    const auto burst = fit_burst(reads_through(rate / 10, rate, 1.3e9, true, 200), kRead);
    REQUIRE(burst);
    CHECK(burst->in_steps);
    CHECK(burst->bytes == Approx(rate / 10).epsilon(0.03));
    CHECK(burst->refill_gb_s == Approx(rate / 1e9).epsilon(0.03));
    CHECK(burst->gb_s == Approx(1.3).epsilon(0.001));
  }
}

TEST_CASE("a bucket that is refilled evenly is found with its size, its rates and its form") {
  const auto burst = fit_burst(reads_through(16e6, 100e6, 1.3e9, false, 200), kRead);
  REQUIRE(burst);
  CHECK_FALSE(burst->in_steps);
  CHECK(burst->bytes == Approx(16e6).epsilon(0.08));
  CHECK(burst->refill_gb_s == Approx(0.1).epsilon(0.001));
}

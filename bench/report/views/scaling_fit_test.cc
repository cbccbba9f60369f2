#include "bench/report/views/scaling_fit.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// Times by thread count, and what owns them.
class Times {
 public:
  // `noise`: the half width of a uniform error, as a share of the time.
  Times(std::vector<std::size_t> counts, const std::function<double(double)>& speedup,
        double noise = 0, std::size_t repetitions = 5)
      : counts_(std::move(counts)) {
    std::mt19937_64 random(7);
    for (const std::size_t count : counts_) {
      std::vector<double> ms;
      for (std::size_t i = 0; i < repetitions; ++i) {
        const double error = 2 * static_cast<double>(random() >> 11) / (1ULL << 53) - 1;
        ms.push_back(100 / speedup(static_cast<double>(count)) * (1 + noise * error));
      }
      ms_.push_back(std::move(ms));
    }
  }

  std::optional<ScalingFit> fit() const {
    std::vector<ScalingPoint> points;
    for (std::size_t i = 0; i < counts_.size(); ++i) points.push_back({counts_[i], {ms_[i]}});
    return fit_scaling(points);
  }

 private:
  std::vector<std::size_t> counts_;
  std::vector<std::vector<double>> ms_;
};

double amdahl_5(double n) { return 1 / (0.05 + 0.95 / n); }
double peaked(double n) { return n / (1 + 0.03 * (n - 1) + 0.001 * n * (n - 1)); }

const std::vector<std::size_t> kPowers{1, 2, 4, 8, 16, 32, 64};

TEST_CASE("no law is fitted to one count, without one thread, or to impossible times") {
  CHECK_FALSE(fit_scaling({}));
  CHECK_FALSE(Times({1}, amdahl_5).fit());
  CHECK_FALSE(Times({2, 4, 8}, amdahl_5).fit());
  for (const double speedup : std::vector<double>{INFINITY, 1e200, 1e-200, 0, NAN})
    CHECK_FALSE(Times({1, 2}, [&](double n) { return n > 1 ? speedup : 1; }).fit());
}

TEST_CASE("perfect scaling has no serial share") {
  const auto fit = Times(kPowers, [](double n) { return n; }).fit();
  REQUIRE(fit);
  CHECK(fit->is_amdahl());
  CHECK(fit->sigma == Approx(0).margin(1e-12));
  CHECK(fit->speedup(64) == Approx(64));
  CHECK_FALSE(fit->peak());
  // Faster than perfect is no negative share.
  CHECK(Times(kPowers, [](double n) { return n * n; }).fit()->sigma == 0);
}

TEST_CASE("a serial share of 5 % is found, also through noise, with an interval that holds it") {
  const auto exact = Times(kPowers, amdahl_5).fit();
  REQUIRE(exact);
  CHECK(exact->is_amdahl());
  CHECK(exact->sigma == Approx(0.05));
  CHECK(exact->speedup(64) == Approx(amdahl_5(64)));
  const auto noisy = Times(kPowers, amdahl_5, 0.03, 15).fit();
  REQUIRE(noisy);
  CHECK(noisy->is_amdahl());
  REQUIRE(noisy->sigma_interval);
  CHECK(noisy->sigma_interval->holds(0.05));
  CHECK(noisy->sigma_interval->high - noisy->sigma_interval->low < 0.01);
}

TEST_CASE("a speed-up that falls again is the universal law's, with its peak") {
  const auto fit = Times(kPowers, peaked, 0.01, 15).fit();
  REQUIRE(fit);
  REQUIRE_FALSE(fit->is_amdahl());
  CHECK(fit->sigma == Approx(0.03).epsilon(0.1));
  CHECK(fit->kappa == Approx(0.001).epsilon(0.1));
  CHECK(fit->kappa_interval->low > 0);
  CHECK(fit->peak().value() == Approx(std::sqrt(0.97 / 0.001)).epsilon(0.1));
}

TEST_CASE("kappa is not taken from three counts, nor from noise") {
  CHECK(Times({1, 2, 4}, peaked).fit()->is_amdahl());
  CHECK(Times({1, 2, 4, 8}, amdahl_5, 0.2).fit()->is_amdahl());
}

TEST_CASE("a law that the times do not follow says how far it is off") {
  const auto fit = Times({1, 2, 4}, [](double n) { return n < 4 ? 1 : 2.5; }).fit();
  REQUIRE(fit);
  CHECK_FALSE(fit->is_met());
  CHECK(fit_text(*fit).ends_with(", off by up to 37 %"));
}

TEST_CASE("shares are percentages of two digits, whole from 10 on") {
  CHECK(percent_text(0) == "0");
  CHECK(percent_text(0.00123) == "0.12");
  CHECK(percent_text(0.0478) == "4.8");
  CHECK(percent_text(0.999) == "100");
  CHECK(percent_text(1e-12) == "0");
}

TEST_CASE("two counts give a share that is not tested, one repetition none with an interval") {
  const auto fit = Times({1, 2}, amdahl_5).fit();
  REQUIRE(fit);
  CHECK_FALSE(fit->is_tested());
  CHECK(fit->sigma == Approx(0.05));
  CHECK(fit_text(*fit) == "5 % serial (5 to 5), untested: two counts");
  const auto once = Times({1, 2, 4}, amdahl_5, 0, 1).fit();
  REQUIRE(once);
  CHECK_FALSE(once->sigma_interval);
  CHECK(fit_text(*once) == "5 % serial");
}

}  // namespace
}  // namespace hdbench::bench

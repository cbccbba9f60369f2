#include "bench/report/views/scaling_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/base/statistics.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

// Each resample is a fit of all counts.
constexpr std::size_t kFitResamples = 500;
// Times further apart than this are no query's on threads, and their squares may be no number.
constexpr double kTimesApart = 1e9;
// Kappa that takes less of the time on the most threads is rounding.
constexpr double kPairsShare = 0.01;

struct Law {
  double sigma = 0;
  double kappa = 0;
};

double time_share(const Law& law, double threads) {
  return (1 + law.sigma * (threads - 1) + law.kappa * threads * (threads - 1)) / threads;
}

// Medians of times by thread count, the first on one thread.
struct Medians {
  std::vector<double> threads;
  std::vector<double> ms;
};

double error_most(const Medians& medians, const Law& law) {
  double most = 0;
  for (std::size_t i = 0; i < medians.threads.size(); ++i) {
    const double share = medians.ms[i] / medians.ms[0];
    most = std::max(most, std::fabs(time_share(law, medians.threads[i]) / share - 1));
  }
  return most;
}

// The sums of the normal equations of errors relative to the times: sigma s + kappa k = r.
struct Sums {
  double ss = 0;
  double sk = 0;
  double kk = 0;
  double sr = 0;
  double kr = 0;
  double rr = 0;

  double error(const Law& law) const {
    return rr + law.sigma * law.sigma * ss + law.kappa * law.kappa * kk +
           2 * (law.sigma * law.kappa * sk - law.sigma * sr - law.kappa * kr);
  }
};

Sums sums_of(const Medians& medians) {
  Sums sums;
  for (std::size_t i = 1; i < medians.threads.size(); ++i) {
    const double n = medians.threads[i];
    const double share = medians.ms[i] / medians.ms[0];
    const double s = (n - 1) / n / share;
    const double k = (n - 1) / share;
    const double r = 1 - 1 / (n * share);
    sums.ss += s * s;
    sums.sk += s * k;
    sums.kk += k * k;
    sums.sr += s * r;
    sums.kr += k * r;
    sums.rr += r * r;
  }
  return sums;
}

Law amdahl(const Sums& sums) { return {std::clamp(sums.sr / sums.ss, 0.0, 1.0), 0}; }

// The error is convex, so that its least value within the bounds is in the middle or on an edge.
Law universal(const Sums& sums) {
  const double determinant = sums.ss * sums.kk - sums.sk * sums.sk;
  if (determinant > 0) {
    const Law free{(sums.sr * sums.kk - sums.kr * sums.sk) / determinant,
                   (sums.kr * sums.ss - sums.sr * sums.sk) / determinant};
    if (free.sigma >= 0 && free.sigma <= 1 && free.kappa >= 0) return free;
  }
  const auto on_edge = [&](double sigma) {
    return Law{sigma, std::max(0.0, (sums.kr - sigma * sums.sk) / sums.kk)};
  };
  const std::array edges{amdahl(sums), on_edge(0), on_edge(1)};
  return *std::min_element(edges.begin(), edges.end(), [&](const Law& a, const Law& b) {
    return sums.error(a) < sums.error(b);
  });
}

struct ResampledLaws {
  std::vector<double> amdahl_sigma;
  std::vector<double> sigma;
  std::vector<double> kappa;
};

ResampledLaws resampled_laws(std::span<const ScalingPoint> points, Medians medians) {
  std::mt19937_64 random(kResampleSeed);
  std::vector<Resampler> resamplers;
  for (const ScalingPoint& point : points) resamplers.emplace_back(point.times);
  ResampledLaws laws;
  for (std::size_t i = 0; i < kFitResamples; ++i) {
    for (std::size_t at = 0; at < points.size(); ++at)
      medians.ms[at] = resamplers[at].median_of_next(random);
    const Sums sums = sums_of(medians);
    const Law law = universal(sums);
    laws.amdahl_sigma.push_back(amdahl(sums).sigma);
    laws.sigma.push_back(law.sigma);
    laws.kappa.push_back(law.kappa);
  }
  return laws;
}

// Widened for few visits, within what the figure can be.
Interval bounded(std::vector<double> figures, double middle, double by, double most) {
  const Interval interval = resampled_interval(std::move(figures), middle, by);
  return {std::clamp(interval.low, 0.0, most), std::clamp(interval.high, 0.0, most)};
}

std::string share_text(double share, const std::optional<Interval>& interval, const char* what) {
  std::string text = fmt::format("{} % {}", percent_text(share), what);
  if (interval)
    text += fmt::format(" ({} to {})", percent_text(interval->low), percent_text(interval->high));
  return text;
}

}  // namespace

double ScalingFit::speedup(double threads) const { return 1 / time_share({sigma, kappa}, threads); }

std::optional<double> ScalingFit::peak() const {
  if (!(kappa > 0)) return std::nullopt;
  return std::max(1.0, std::sqrt((1 - sigma) / kappa));
}

std::optional<ScalingFit> fit_scaling(std::span<const ScalingPoint> points) {
  if (points.size() < 2 || points.front().threads != 1) return std::nullopt;
  Medians medians;
  bool is_repeated = true;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  std::size_t visits = std::numeric_limits<std::size_t>::max();
  for (const ScalingPoint& point : points) {
    const std::span<const double> times = point.times.values;
    if (times.empty()) return std::nullopt;
    for (const double time : times) {
      if (!std::isfinite(time)) return std::nullopt;
      least = std::min(least, time);
      most = std::max(most, time);
    }
    medians.threads.push_back(static_cast<double>(point.threads));
    medians.ms.push_back(median(times));
    is_repeated = is_repeated && times.size() > 1;
    visits = std::min(visits, visits_of(point.times));
  }
  if (!(least > 0) || !(most / least < kTimesApart)) return std::nullopt;
  const Sums sums = sums_of(medians);
  ScalingFit fit{points.size(), points.back().threads, amdahl(sums).sigma, 0, {}, {}, 0};
  fit.error_most = error_most(medians, {fit.sigma, 0});
  if (!is_repeated) return fit;
  const ResampledLaws laws = resampled_laws(points, medians);
  const double by = widening(visits);
  if (points.size() >= kCountsForKappa) {
    const Law law = universal(sums);
    const Interval kappa = bounded(laws.kappa, law.kappa, by, std::numeric_limits<double>::max());
    const double last = medians.threads.back();
    if (kappa.low * (last - 1) > kPairsShare * time_share(law, last)) {
      fit.sigma = law.sigma;
      fit.kappa = law.kappa;
      fit.sigma_interval = bounded(laws.sigma, law.sigma, by, 1);
      fit.kappa_interval = kappa;
      fit.error_most = error_most(medians, law);
      return fit;
    }
  }
  fit.sigma_interval = bounded(laws.amdahl_sigma, fit.sigma, by, 1);
  return fit;
}

std::string percent_text(double share) {
  const double percent = std::round(1e6 * share) / 1e4;
  return percent < 10 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent);
}

std::string fit_text(const ScalingFit& fit) {
  std::string text =
      share_text(fit.sigma, fit.sigma_interval, fit.is_amdahl() ? "serial" : "contention");
  if (!fit.is_amdahl()) {
    text += fmt::format(", {}, fastest at {}", share_text(fit.kappa, fit.kappa_interval, "a pair"),
                        threads_text(static_cast<std::size_t>(std::lround(*fit.peak()))));
  }
  if (!fit.is_tested()) text += ", untested: two counts";
  if (!fit.is_met()) text += fmt::format(", off by up to {:.0f} %", 100 * fit.error_most);
  return text;
}

}  // namespace hdbench::bench

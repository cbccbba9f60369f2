// A law of how a query's time falls with threads, fitted to its times.
//
// The universal scalability law (N. J. Gunther, "Guerrilla Capacity Planning", 2007): on n threads
// a query takes (1 + sigma (n - 1) + kappa n (n - 1)) / n of its time on one. Sigma is the share of
// the work that one thread does while the others wait, kappa what each pair of threads costs
// besides. With kappa 0 it is Amdahl's law and sigma the serial share.
//
// The fit is least squares of the relative errors of times, with sigma in 0 to 1 and kappa from 0
// on: for given counts it is linear in both. Intervals are bootstrap intervals: each count's
// repetitions are drawn again, and the law is fitted to their medians (resampling.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "bench/base/bootstrap.h"

namespace hdbench::bench {

// Kappa is fitted from so many thread counts on, one thread included: two say nothing of a law,
// and three leave nothing to test two figures by.
constexpr std::size_t kCountsForKappa = 4;

// A law that is further off any time than this says little.
constexpr double kLawError = 0.1;

struct ScalingPoint {
  std::size_t threads = 1;
  Samples times;
};

struct ScalingFit {
  std::size_t counts = 0;  // thread counts that it rests on
  std::size_t most = 0;    // the greatest of them
  double sigma = 0;
  double kappa = 0;  // 0: Amdahl's law
  // Nothing: a count has one repetition only.
  std::optional<Interval> sigma_interval;
  std::optional<Interval> kappa_interval;  // of Amdahl's law nothing

  double error_most = 0;  // the greatest relative error of a count's time

  bool is_amdahl() const { return kappa == 0; }
  // With two counts any time is met exactly.
  bool is_tested() const { return counts > 2; }
  bool is_met() const { return error_most <= kLawError; }
  // How many times as fast as on one thread.
  double speedup(double threads) const;
  // The count that is fastest by the law; nothing where more threads are always faster.
  std::optional<double> peak() const;
};

// Kappa is part of it where its whole interval takes a share of the time on the most threads that
// is no rounding; else the law is Amdahl's. Nothing: one thread is not among the points, there are
// fewer than two, or times are not above 0 and within a factor of a thousand million. Requires:
// points by rising threads, each count once.
std::optional<ScalingFit> fit_scaling(std::span<const ScalingPoint> points);

// A share as a percentage: "0.12", "4.8", "100".
std::string percent_text(double share);

// "4.8 % serial (4.1 to 5.5)"; "3.2 % contention (2.9 to 3.5), 0.12 % a pair (0.10 to 0.14),
// fastest at 28 threads"; with ", untested: two counts" or ", off by up to 38 %" where so.
std::string fit_text(const ScalingFit& fit);

}  // namespace hdbench::bench

#include "bench/base/latency.h"

#include <algorithm>
#include <cmath>

namespace hdbench::bench {

void LatencyCounts::add(const LatencyCounts& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  total_ += other.total_;
  total_ns_ += other.total_ns_;
  max_ = std::max(max_, other.max_);
}

std::optional<double> LatencyCounts::mean() const {
  if (total_ == 0) return std::nullopt;
  return static_cast<double>(total_ns_) / static_cast<double>(total_);
}

double LatencyCounts::middle_of(std::size_t bin) {
  if (bin < kStep) return static_cast<double>(bin);
  const std::size_t shift = bin / kStep - 1;
  const double width = std::ldexp(1.0, static_cast<int>(shift));
  return (static_cast<double>(bin % kStep + kStep) + 0.5) * width;
}

std::optional<double> LatencyCounts::percentile(double part) const {
  // A hair less, so that 1 / (1 - 0.9) is 10 and not a little more.
  if (static_cast<double>(total_) * (1 - part) < 1 - 1e-9) return std::nullopt;
  const auto rank = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(total_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen >= rank && seen > 0) return std::min(middle_of(bin), static_cast<double>(max_));
  }
  return std::nullopt;
}

}  // namespace hdbench::bench

// Latency histogram with bins of 1/64 of their value, so that percentiles are right within 0.8 %
// from nanoseconds to hours and every operation is counted (after G. Tene's HDR histogram).
//
// Plain memory without pointers, which processes can share.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hdbench::bench {

class LatencyCounts {
 public:
  void add(std::uint64_t ns) {
    ++bins_[bin_of(ns)];
    ++total_;
    total_ns_ += ns;
    if (ns > max_) max_ = ns;
  }
  void add(const LatencyCounts& other);

  std::uint64_t total() const { return total_; }
  std::uint64_t max() const { return max_; }
  // ns; nothing where none was counted.
  std::optional<double> mean() const;

  // The value below which this part of all lies (0.5: the median); nothing where fewer than
  // 1 / (1 - part) were counted: they cannot tell.
  std::optional<double> percentile(double part) const;

 private:
  static constexpr std::size_t kBits = 6;
  static constexpr std::size_t kStep = std::size_t{1} << kBits;

  // Values below kStep have a bin each, each power of two above kStep of them.
  static constexpr std::size_t bin_of(std::uint64_t ns) {
    if (ns < kStep) return static_cast<std::size_t>(ns);
    const auto shift = static_cast<std::size_t>(std::bit_width(ns)) - kBits - 1;
    return (shift + 1) * kStep + static_cast<std::size_t>((ns >> shift) - kStep);
  }
  static double middle_of(std::size_t bin);

  std::array<std::uint64_t, (64 - kBits + 1) * kStep> bins_{};
  std::uint64_t total_ = 0;
  std::uint64_t total_ns_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace hdbench::bench

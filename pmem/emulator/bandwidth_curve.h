// Bandwidth as a function of the number of threads: linear between points, constant outside them.
#pragma once

#include <vector>

namespace hdbench::pmem {

struct BandwidthPoint {
  double threads = 1;
  double gb_s = 0;  // 10^9 bytes a second
};

struct BandwidthCurve {
  std::vector<BandwidthPoint> points;  // rising by threads; one point: the same for any threads
  double one_thread_gb_s = 0;          // the most that one thread gets; 0: no such figure

  bool known() const { return !points.empty(); }

  // The bandwidth of all threads together. Requires: known().
  double at(double threads) const {
    if (threads <= points.front().threads) return points.front().gb_s;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const BandwidthPoint& left = points[i - 1];
      const BandwidthPoint& right = points[i];
      if (threads > right.threads) continue;
      const double share = (threads - left.threads) / (right.threads - left.threads);
      return left.gb_s + share * (right.gb_s - left.gb_s);
    }
    return points.back().gb_s;
  }
};

}  // namespace hdbench::pmem

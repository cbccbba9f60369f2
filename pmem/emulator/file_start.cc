#include "pmem/emulator/file_start.h"

#include <algorithm>

namespace hdbench::pmem {
namespace {

// GB/s are bytes a nanosecond.
double file_ns(std::uint64_t bytes, double gb_s) { return static_cast<double>(bytes) / gb_s; }

StartTimes scaled(double factor, const StartTimes& a_byte) {
  return {factor * a_byte.one_thread_ns, factor * a_byte.device_ns};
}

// GB/s: what the disk gives when enough of such files are asked for at once. Fewer threads may
// reach it as well: what is read around a page goes on after its thread has left.
double best_gb_s(const BandwidthCurve& read) {
  double most = 0;
  for (const BandwidthPoint& point : read.points) most = std::max(most, point.gb_s);
  return most;
}

}  // namespace

FileStart::FileStart(const DeviceProfile& profile, StartTimes stream_a_byte)
    : stream_a_byte_(stream_a_byte), wait_ns_(profile.latency.read_random_ns) {
  if (profile.small_files.empty()) return;
  const SmallFiles& least = profile.small_files.front();
  const double least_ns = file_ns(least.bytes, least.read.at(1));
  const double as_stream = static_cast<double>(least.bytes) * stream_a_byte.one_thread_ns;
  wait_ns_ = std::clamp(least_ns - as_stream, 0.0, wait_ns_);
  Point last;
  double device_gb_s = 0;  // of this size or a smaller one: fewer threads may have read the larger
  for (const SmallFiles& size : profile.small_files) {
    const StartTimes fastest = scaled(static_cast<double>(size.bytes - last.bytes), stream_a_byte);
    device_gb_s = std::max(device_gb_s, best_gb_s(size.read));
    const StartTimes measured{file_ns(size.bytes, size.read.at(1)) - wait_ns_,
                              file_ns(size.bytes, device_gb_s)};
    last = {size.bytes,
            {std::max(measured.one_thread_ns, last.until.one_thread_ns + fastest.one_thread_ns),
             std::max(measured.device_ns, last.until.device_ns + fastest.device_ns)}};
    points_.push_back(last);
  }
}

StartTimes FileStart::until(std::uint64_t bytes) const {
  Point left;
  for (const Point& right : points_) {
    if (bytes <= right.bytes) {
      const double share =
          static_cast<double>(bytes - left.bytes) / static_cast<double>(right.bytes - left.bytes);
      const auto between = [&](double a, double b) { return a + share * (b - a); };
      return {between(left.until.one_thread_ns, right.until.one_thread_ns),
              between(left.until.device_ns, right.until.device_ns)};
    }
    left = right;
  }
  const StartTimes rest = scaled(static_cast<double>(bytes - left.bytes), stream_a_byte_);
  return {left.until.one_thread_ns + rest.one_thread_ns, left.until.device_ns + rest.device_ns};
}

StartTimes FileStart::between(std::uint64_t begin, std::uint64_t end) const {
  const StartTimes from = until(begin);
  const StartTimes to = until(end);
  return {to.one_thread_ns - from.one_thread_ns, to.device_ns - from.device_ns};
}

double FileStart::page_ns(std::uint64_t window_bytes) const {
  const std::uint64_t piece = points_.empty() ? window_bytes : points_.front().bytes;
  return std::max(until(window_bytes).one_thread_ns / 2,
                  until(std::min(window_bytes, piece)).one_thread_ns);
}

}  // namespace hdbench::pmem

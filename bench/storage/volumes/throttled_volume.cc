#include "bench/storage/volumes/throttled_volume.h"

#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <mutex>

#include "bench/base/layers.h"

namespace hdbench::bench {
namespace {

// Setting a limit starts the kernel's slice anew, so small changes are not worth it.
constexpr double kWorthSetting = 0.02;

bool differs(const DeviceCaps& a, const DeviceCaps& b) {
  const auto far = [](double x, double y) { return std::abs(x - y) > kWorthSetting * y; };
  return far(a.bytes_per_s, b.bytes_per_s) || far(a.ios_per_s, b.ios_per_s);
}

}  // namespace

Result<std::unique_ptr<ThrottledVolume>> ThrottledVolume::enter(const VolumeClass& volume,
                                                                const Options& options,
                                                                Guard& guard,
                                                                const MachinePaths& paths) {
  std::unique_ptr<ThrottledVolume> held(new ThrottledVolume(volume));
  HDB_ASSIGN(held->throttle_, Throttle::make(options.device, guard, paths));
  held->caps_ = burst_caps(volume);
  if (volume.profile.credits) {
    const CreditBucket& bucket = *volume.profile.credits;
    held->credits_ =
        std::make_unique<CreditController>(bucket, options.credits.value_or(bucket.capacity),
                                           std::chrono::duration<double>(kControlPeriod).count());
    held->caps_ = caps_at(volume, held->credits_->rate());
  }
  HDB_TRY(held->throttle_->set(held->caps_));
  HDB_TRY(held->throttle_->enter());
  if (options.when_set_up) HDB_TRY(options.when_set_up());
  if (held->credits_)
    held->controller_ = std::jthread([h = held.get()](std::stop_token stop) { h->control(stop); });
  return held;
}

void ThrottledVolume::control(const std::stop_token& stop) {
  const bool by_bytes = volume_.profile.credits->unit == CreditBucket::Unit::kBytes;
  const auto used_until_now = [&] {
    const DeviceUse use = throttle_->use();
    return static_cast<double>(by_bytes ? use.bytes : use.ios);
  };
  auto last = std::chrono::steady_clock::now();
  double used_before = used_until_now();
  std::mutex mutex;
  std::condition_variable_any stop_asked;
  std::unique_lock lock(mutex);
  while (!stop_asked.wait_for(lock, stop, kControlPeriod, [&] { return stop.stop_requested(); })) {
    const auto now = std::chrono::steady_clock::now();
    const double used = used_until_now();
    const DeviceCaps caps = caps_at(
        volume_,
        credits_->step(std::chrono::duration<double>(now - last).count(), used - used_before));
    last = now;
    used_before = used;
    if (!differs(caps, caps_)) continue;
    if (throttle_->set(caps).ok()) caps_ = caps;
  }
}

std::string ThrottledVolume::describe() const {
  std::string text =
      fmt::format("{}: {}", volume_.name, hdbench::bench::describe(burst_caps(volume_)));
  if (volume_.profile.credits) {
    const CreditBucket& bucket = *volume_.profile.credits;
    const bool by_bytes = bucket.unit == CreditBucket::Unit::kBytes;
    text += fmt::format("; once {} are spent {}; looked at every {} ms",
                        by_bytes ? fmt::format("{:.0f} GB of credits", bucket.capacity / 1e9)
                                 : fmt::format("{:.0f} I/O credits", bucket.capacity),
                        hdbench::bench::describe(base_caps(volume_)), kControlPeriod.count());
  }
  return text + (throttle_->version() == CgroupVersion::kOne ? "; cgroup v1 blkio.throttle"
                                                             : "; cgroup v2 io.max");
}

std::vector<std::string> ThrottledVolume::shortcomings() const {
  std::vector<std::string> lines{
      "throttle: reads and writes are held to the caps each on their own; a volume's are shared"};
  if (throttle_->version() == CgroupVersion::kOne) {
    lines.emplace_back(
        "throttle: cgroup v1 does not hold back what the kernel writes by itself (pages that it "
        "flushes, a filesystem's journal), only what a process writes past the page cache or "
        "syncs");
  }
  if (volume_.profile.random_cost_bytes > 0) {
    lines.push_back(fmt::format(
        "throttle: the kernel charges a random access its own bytes, the class {} KiB at least: "
        "random figures here are too good; the emulator charges it",
        volume_.profile.random_cost_bytes >> 10));
  }
  if (volume_.profile.iops[0] > 0 || burst_caps(volume_).ios_per_s > 0) {
    lines.emplace_back(
        "throttle: the kernel counts a request as one I/O whatever its size; AWS counts one for "
        "each 256 KiB");
  }
  if (volume_.profile.latency.read_random_ns > 0 || volume_.profile.latency.write_ns > 0) {
    lines.emplace_back("throttle: the class's latency is not imitated, only its caps");
  }
  return lines;
}

}  // namespace hdbench::bench

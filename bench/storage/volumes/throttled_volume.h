// Limits a disk to a class of cloud volume: the class's caps, the kernel's throttle (throttle.h),
// and a controller that lowers the limit when the class's credits are spent.
//
// The caps come from the emulator's profiles (pmem/profiles), so that throttle and emulator use the
// same figures. Every kControlPeriod the controller reads the group's use and sets the limit of the
// next period; a class without credits has a constant limit. The throttle does not know where the
// last request ended, so it cannot charge a random access more than its bytes (st1's 1 MiB).
// shortcomings() lists what it cannot do.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/base/layers.h"
#include "bench/storage/volumes/throttle.h"
#include "engine/base/result.h"
#include "pmem/emulator/device_profile.h"

namespace hdbench::bench {

struct VolumeClass {
  std::string name;       // "gp2", "io2,r4.4xlarge"
  DeviceProfile profile;  // of the volume, with the instance's cap in it
};

// "gp2", "gp3", "io1", "io2", "st1"; an instance ("r4.4xlarge") behind a comma, or alone, which is
// its own cap; anything else is a profile by name or path. Errors: kUsage.
Result<VolumeClass> volume_class(std::string_view words);

// The caps with credits, and without. The same if there is no bucket.
DeviceCaps burst_caps(const VolumeClass& volume);
DeviceCaps base_caps(const VolumeClass& volume);

// The caps while the bucket gives so much a second.
DeviceCaps caps_at(const VolumeClass& volume, double credit_rate);

// "B MB/s, N IOPS".
std::string describe(const DeviceCaps& caps);

// A volume's credits: computes the rate allowed in the next period from the use in the last one.
//
// Credits accrue at the refill rate, up to the bucket's capacity, and are spent by use. While there
// are credits the volume may burst; in the period in which they run out it may use the remainder,
// and afterwards the refill. Time and use are parameters, so tests need no clock.
class CreditController {
 public:
  // credits: what is in the bucket at first, its capacity at most.
  CreditController(const CreditBucket& bucket, double credits, double period_s);

  // After so many seconds in which so much was used: the rate, a second, for the next period.
  double step(double elapsed_s, double used);

  double rate() const;
  double credits() const { return credits_; }

 private:
  CreditBucket bucket_;
  double credits_;
  double period_s_;
};

constexpr std::chrono::milliseconds kControlPeriod{100};

class ThrottledVolume {
 public:
  struct Options {
    std::string device;             // "254:0"
    std::optional<double> credits;  // in the bucket at first; nothing: full
    // Called when the group is set up, before the controller's thread starts; empty: nothing is.
    std::function<Status()> when_set_up = {};
  };
  // This process is in the group, and what it starts, until this is destroyed. Errors: as
  // Throttle::make().
  static Result<std::unique_ptr<ThrottledVolume>> enter(const VolumeClass& volume,
                                                        const Options& options, Guard& guard,
                                                        const MachinePaths& paths = {});
  ThrottledVolume(const ThrottledVolume&) = delete;
  ThrottledVolume& operator=(const ThrottledVolume&) = delete;

  // "gp2: 262.1 MB/s, 3000 IOPS; 1500 IOPS once 5400000 I/O credits are spent, looked at every
  // 100 ms; cgroup v1".
  std::string describe() const;
  std::vector<std::string> shortcomings() const;

 private:
  explicit ThrottledVolume(VolumeClass volume) : volume_(std::move(volume)) {}

  void control(const std::stop_token& stop);

  VolumeClass volume_;
  std::unique_ptr<Throttle> throttle_;
  std::unique_ptr<CreditController> credits_;
  DeviceCaps caps_;
  std::jthread controller_;
};

}  // namespace hdbench::bench

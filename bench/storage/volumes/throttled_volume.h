// Limits a disk to a volume class: the kernel's throttle, and a controller that lowers the limit
// when the class's credits are spent.
//
// Every kControlPeriod the controller reads the group's use and sets the limit of the next period;
// a class without credits has a constant limit. The throttle does not know where the last request
// ended, so it cannot charge a random access more than its bytes (st1's 1 MiB). shortcomings()
// lists what it cannot do.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "bench/storage/volumes/credit_controller.h"
#include "bench/storage/volumes/throttle.h"
#include "bench/storage/volumes/volume_class.h"

namespace hdbench::bench {

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

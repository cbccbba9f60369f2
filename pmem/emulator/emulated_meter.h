// The emulator's meter: charges the workers' accesses to devices that this machine does not have.
//
// Both modes charge the same account. wall: a worker waits until the device would be done. model:
// nobody waits; the query's time is computed from the account.
//
// Several devices may share a meter (columns placed apart), or one may be used beside columns in
// host memory. Each device has its own clock, and a worker's passes follow one another. A pass
// lasts max(CPU work, single-thread transfer, latency), and begins when the previous one has ended.
//
// A worker waits for the time that an access takes on the device less the time that it took here:
// for overlapping accesses the calibrated time; for dependent ones the time since the last report,
// at most twice the calibrated one. So a chase takes N x L on a host whose loads vary, and other
// work between the loads is taken for loads by no more than they take themselves.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/meter.h"
#include "engine/base/result.h"
#include "pmem/base/shared_array.h"
#include "pmem/emulator/device_account.h"
#include "pmem/emulator/emulated_device.h"
#include "pmem/emulator/region_table.h"

namespace hdbench::pmem {

// A core that waits for memory is busy, and keeps its caches; one that waits for a disk sleeps.
enum class WaitFor : std::uint8_t { kMemory, kDisk };

// The emulator's clock; tests provide their own.
class EmulationClock {
 public:
  virtual ~EmulationClock() = default;
  virtual std::int64_t now_ns() = 0;
  // Returns no earlier than this, at once if it has passed; or soon after `stop` (null: never) is
  // set.
  virtual void wait_until(std::int64_t deadline_ns, WaitFor what,
                          const std::atomic<bool>* stop) = 0;
};

// The machine's monotonic clock: sleeps to 50 us before the deadline (500 where it is memory that
// is waited for: all of what EmulatedMeter waits off at a time, as a rule), then spins.
class SteadyEmulationClock final : public EmulationClock {
 public:
  std::int64_t now_ns() override;
  void wait_until(std::int64_t deadline_ns, WaitFor what, const std::atomic<bool>* stop) override;
};

enum class EmulationMode { kWall, kModel };

struct EmulationSettings {
  EmulationMode mode = EmulationMode::kWall;
  std::vector<EmulatedDeviceSetup> devices;
  HostCalibration host;
  std::uint64_t last_level_cache_bytes = 0;  // of the host; 0: every access reaches near memory
  EmulationClock* clock = nullptr;           // null: the machine's
};

// One query's charges to a device. Accessed bytes are the run's own count; media bytes are the same
// in whole lines of the device.
struct DeviceCharges {
  std::string device;  // "host": bytes of no region, which cost nothing
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  MediaBytes media;  // of the far device where there is a near cache
  std::optional<NearCacheFigures> near_cache;
  std::int64_t busy_ns = 0;  // of the device's time
};

struct EmulationResult {
  std::vector<DeviceCharges>
      devices;                    // as they were added, then the host; bytes sum to all accessed
  std::int64_t elapsed_ns = 0;    // from begin() to the end of settle(), by the clock
  std::int64_t waited_ns = 0;     // of the workers together, settle()'s wait included
  std::int64_t bandwidth_ns = 0;  // until the last device is done
  std::int64_t latency_ns = 0;    // of one worker, if all waited for as much
  // The time of one worker if all do as much, device after device: for each the larger of its
  // transfers and latency.
  std::int64_t serial_ns = 0;
  // kModel: the greatest of elapsed, bandwidth, latency and serial. Otherwise elapsed.
  std::int64_t modelled_ns = 0;
};

class EmulatedMeter final : public AccessMeter {
 public:
  // Debt up to this is accumulated and not waited for, as a sleep is not that precise.
  static constexpr std::int64_t kDebtNs = 200'000;

  // Errors: kUsage for a device that cannot be set up.
  static Result<std::unique_ptr<EmulatedMeter>> make(const EmulationSettings& settings);
  ~EmulatedMeter() override;

  // Adds a device. Its number is never reused. A device must have no regions when it is removed.
  // Not while a query runs. Errors: as make()'s.
  Result<std::size_t> add_device(const EmulatedDeviceSetup& setup);
  void remove_device(std::size_t device);

  // Tells the meter whether queries also read columns in host memory (bytes of no region), which
  // costs nothing.
  void set_host_columns(bool any) { host_columns_ = any; }

  // Tells the meter whether what queries make, working memory included, lies on one of its devices.
  // True until it is told.
  void set_working_memory(bool any) { works_on_devices_ = any; }
  bool meters_working_memory() const override { return works_on_devices_; }

  // Bytes at `address` lie on settings.devices[device] from now on. Also while a query runs.
  // Requires: bytes > 0, apart from all other regions.
  void add_region(const std::byte* address, std::size_t bytes, std::size_t device);
  void remove_region(const std::byte* address);

  // Begins a query on so many workers. In model mode credits are full; otherwise they are what
  // earlier queries left. The near cache is kept. Once `stop` is set (null: never; it must live
  // until settle() returns) no worker waits any more, and settle()'s result is meaningless.
  void begin(std::size_t threads, const std::atomic<bool>* stop = nullptr);

  void access(const Access& access) override;

  // Ends the query, after all workers have reported everything: waits for the remaining debt.
  // Requires: begin() was called.
  EmulationResult settle();

  // From now on the devices are shared by so many processes that are forked later: what one has
  // booked the others wait for, and rates are those of all threads that run a query. 0: by this one
  // alone again. Requires: wall mode, memory devices.
  void share_between(std::size_t processes);
  // In such a process: which it is.
  void be_process(std::size_t index) { process_ = index; }
  // It was killed: its threads use the devices no more.
  void forget_process(std::size_t index) { sharing_[index].store(0); }

  // Of all processes, as the last begin() found them.
  std::size_t threads_of_all() const { return all_threads_; }

  // Empties the near cache and the page caches of a device.
  void drop_caches(std::size_t device);
  // Fills the page caches of a device: what its regions hold costs nothing until they are dropped.
  void fill_caches(std::size_t device);

  // Whether an access to this byte is charged to that device. Not while a query runs.
  bool charges(const std::byte* address, std::size_t device) const;

 private:
  struct Worker;

  explicit EmulatedMeter(const EmulationSettings& settings);
  Worker& this_worker();
  void charge_alone(Worker& worker, const Access& access, const EmulatedRegion& region);
  // region: null: the host's.
  void charge_in_turn(Worker& worker, const Access& access, const EmulatedRegion* region);
  void charge_host(Worker& worker, const Access& access, std::int64_t now_ns);
  double slowed_by_others(std::size_t device) const;
  void pay(Worker& worker, std::int64_t now_ns);
  // Returns how long it was.
  std::int64_t wait(Worker& worker, std::int64_t now_ns, std::int64_t owed_ns);
  void wait_off_all();
  // What all workers together charged to a device, latencies of the idle one where nobody waits.
  struct DeviceSums {
    const EmulatedDevice* device = nullptr;
    double bytes = 0;
    double own_ns = 0;
    double latency_ns = 0;
  };
  struct Times {
    double bandwidth_ns = 0;
    double latency_ns = 0;
    double serial_ns = 0;
  };
  std::vector<DeviceSums> sum_workers() const;
  // While the devices move what they moved in so long.
  Times times_of(const std::vector<DeviceSums>& sums, double all_ns) const;
  void add_times(EmulationResult& result) const;
  void count_threads(std::size_t threads);
  bool waits() const { return mode_ != EmulationMode::kModel; }

  EmulationMode mode_;
  HostCalibration host_;
  std::uint64_t last_level_cache_bytes_;
  std::size_t cpus_;
  SteadyEmulationClock steady_;
  EmulationClock* clock_;
  std::vector<std::unique_ptr<EmulatedDevice>> devices_;  // null: removed
  bool host_columns_ = false;
  bool works_on_devices_ = true;
  bool interferes_ = false;  // a device takes from the bandwidth of others
  bool in_turn_ = false;     // this query's bytes lie on several devices, or on one and the host
  RegionTable regions_;

  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;  // of this query, in the order that they came
  std::uint64_t query_serial_ = 0;                // no two queries of any meter have the same
  std::size_t threads_ = 1;
  std::size_t all_threads_ = 1;                         // of all processes
  SharedArray<std::atomic<std::uint32_t>> sharing_{0};  // by process: threads that run a query
  std::size_t process_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  bool is_core_each_ = true;   // a worker that keeps its core keeps nobody from it
  std::int64_t begin_ns_ = 0;  // by the clock
};

// Options of emulated media: the mode, and the calibration of the host.
struct EmulationOptions {
  EmulationMode mode = EmulationMode::kWall;
  HostCalibration host;  // unknown: no host limit can be reported
  std::uint64_t last_level_cache_bytes = 0;
  // Disks whose profile has no `read_around`: what the kernel reads around a page that a mapping
  // lacks, here Linux's default. make_medium() puts the host's disk's in its place.
  std::uint64_t read_around_bytes = 128 << 10;
  // What a near cache's share is a share of; 0: not known, and a share is refused.
  std::uint64_t data_bytes = 0;
  // That media which are used together share, so that a worker's waits add up; null: each has its
  // own. Of the same mode.
  std::shared_ptr<EmulatedMeter> meter = {};
};

// A meter for such media, without devices yet.
std::shared_ptr<EmulatedMeter> make_shared_meter(const EmulationOptions& options);

// "wall", "model".
std::string_view word(EmulationMode mode);
// Errors: kUsage, naming --emulation.
Result<EmulationMode> parse_emulation_mode(std::string_view text);

struct EmulatorAccuracy {
  std::string_view medium;   // the word that it is emulated by; empty: of a part of the emulator
  std::string_view device;   // the kind of device
  std::string_view against;  // what it was checked against
  std::string_view median;   // of the errors, as a share of what was measured; "-": none is known
  std::string_view worst;
};

constexpr std::array<EmulatorAccuracy, 7> kEmulatorAccuracy{{
    {"nvme", "disk, throttled", "the same disk, cold queries", "0.9 to 5.7 %", "26.0 %"},
    {"nvme", "disk, not throttled", "the same disk, cold queries", "14.2 to 15.1 %", "52 %"},
    {"nvme", "volume class", "its published caps", "-", "2.4 %"},
    {"", "latency of memory", "this machine's clock", "-", "6.7 %"},
    {"app-direct", "Optane, App Direct", "never held against a real Optane device", "-", "-"},
    {"memory-mode", "Optane, Memory Mode", "never held against a real Optane device", "-", "-"},
    {"cxl", "CXL memory", "never held against a real CXL device", "-", "-"},
}};

}  // namespace hdbench::pmem

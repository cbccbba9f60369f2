#include "pmem/emulator/emulated_meter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <time.h>

#include <algorithm>
#include <array>

#include "engine/base/check.h"
#include "engine/base/thread_pool.h"

namespace hdbench::pmem {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSpinNs = 50'000;
constexpr std::int64_t kMemorySpinNs = 500'000;
constexpr std::int64_t kLookNs = 50'000'000;  // at `stop`, while it sleeps

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

constexpr double kFullyLoaded = 1e9;  // GB/s, more than any device's

std::atomic<std::uint64_t> next_serial{1};

// The host's own part of the time that a morsel worked, for loads that waited for one another. A
// load between waits takes longer than the calibrated one, as other work has evicted page tables
// and data meanwhile. So the elapsed time counts as loads, up to twice the calibrated time; what is
// beyond that was other work.
std::int64_t own_loads_ns(const Charged& charged, std::int64_t worked_ns) {
  return std::min({worked_ns, charged.dependent_host_ns * 2, charged.dependent_ns});
}

constexpr std::array<std::string_view, 2> kModeNames = {"wall", "model"};

}  // namespace

std::int64_t SteadyEmulationClock::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

void SteadyEmulationClock::wait_until(std::int64_t deadline_ns, WaitFor what,
                                      const std::atomic<bool>* stop) {
  const auto stopped = [&] { return stop != nullptr && stop->load(std::memory_order_relaxed); };
  const std::int64_t wake_ns = deadline_ns - (what == WaitFor::kMemory ? kMemorySpinNs : kSpinNs);
  for (std::int64_t now = now_ns(); now < wake_ns && !stopped(); now = now_ns()) {
    const std::int64_t until_ns = std::min(wake_ns, now + kLookNs);
    timespec wake{};
    wake.tv_sec = static_cast<time_t>(until_ns / kNsPerSecond);
    wake.tv_nsec = until_ns % kNsPerSecond;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
  }
  while (now_ns() < deadline_ns && !stopped()) pause_core();
}

// One worker's accesses and debts in this query. Allocated separately, so that workers do not share
// cache lines.
//
// Two algorithms share the struct. With one device (charge_alone) a worker's debt is the longer of
// transfer and latency. With several, or one beside host columns (charge_in_turn), the worker has a
// time of its own, which runs ahead of the clock by the stalls that were not waited for yet.
struct alignas(64) EmulatedMeter::Worker {
  struct Accessed {
    std::uint64_t bytes[2] = {0, 0};  // [AccessKind]
    std::int64_t own_ns = 0;          // drawn by this worker alone
    std::int64_t latency_ns = 0;      // the device's
    std::int64_t moved_ns = 0;        // in turn: until when it moves what was requested
  };
  std::vector<Accessed> accessed;  // by device, the host last
  RegionTable::LastFound last_found;
  RecentRanges recent;
  // When the devices will have finished what was reported; in turn, by the worker's own time.
  std::int64_t deadline_ns = 0;
  std::int64_t waited_ns = 0;
  std::int64_t reported_ns = 0;  // when it last went back to work
  WaitFor waits_for = WaitFor::kDisk;
  // One device only.
  std::int64_t own_free_ns = 0;      // what one thread can draw, as a clock
  std::int64_t latency_debt_ns = 0;  // not yet waited for
  std::int64_t late_ns = 0;          // what the last wait took too long
  // In turn only: how far the worker's own time is ahead of the clock (stalls not yet waited for)
  // or behind it (a wait that ended late), and when its current pass began, by its own time.
  std::int64_t ahead_ns = 0;
  std::int64_t pass_begin_ns = 0;

  std::int64_t debt_ns(std::int64_t now_ns, bool in_turn) const;
  // In turn: begins a pass at `time_ns` of the worker's own time, and stalls for what is left of
  // the previous pass.
  void begin_pass(std::int64_t time_ns);
};

Result<std::unique_ptr<EmulatedMeter>> EmulatedMeter::make(const EmulationSettings& settings) {
  std::unique_ptr<EmulatedMeter> meter(new EmulatedMeter(settings));
  for (const EmulatedDeviceSetup& setup : settings.devices) {
    HDB_TRY(meter->add_device(setup));
  }
  return meter;
}

EmulatedMeter::EmulatedMeter(const EmulationSettings& settings)
    : mode_(settings.mode),
      host_(settings.host),
      last_level_cache_bytes_(settings.last_level_cache_bytes),
      cpus_(usable_cpus().size()),
      clock_(settings.clock != nullptr ? settings.clock : &steady_) {}

EmulatedMeter::~EmulatedMeter() = default;

Result<std::size_t> EmulatedMeter::add_device(const EmulatedDeviceSetup& setup) {
  HDB_ASSIGN(auto device, EmulatedDevice::make(setup, host_));
  devices_.push_back(std::move(device));
  return devices_.size() - 1;
}

void EmulatedMeter::remove_device(std::size_t device) { devices_[device].reset(); }

void EmulatedMeter::add_region(const std::byte* address, std::size_t bytes, std::size_t device) {
  HDB_CHECK(device < devices_.size() && devices_[device], "a region lies on one of the devices");
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  regions_.add(devices_[device]->place(begin, begin + bytes, static_cast<std::uint32_t>(device)));
}

void EmulatedMeter::remove_region(const std::byte* address) {
  regions_.remove(reinterpret_cast<std::uintptr_t>(address));
}

void EmulatedMeter::begin(std::size_t threads, const std::atomic<bool>* stop) {
  regions_.collect();
  const std::lock_guard lock(workers_mutex_);
  workers_.clear();
  query_serial_ = next_serial.fetch_add(1);
  count_threads(threads);
  stop_ = stop;
  is_core_each_ = all_threads_ <= cpus_;
  begin_ns_ = clock_->now_ns();
  DeviceAccount::Begin begin;
  begin.threads = static_cast<double>(all_threads_);
  begin.keep_clocks = sharing_.size() != 0;
  const auto is_present = [](const auto& device) { return device != nullptr; };
  const auto is_memory = [](const auto& device) { return device && !device->is_disk(); };
  // Waits add up over devices if there are several, or if a memory device is used beside host
  // columns.
  in_turn_ = std::count_if(devices_.begin(), devices_.end(), is_present) > 1 ||
             (host_columns_ && std::any_of(devices_.begin(), devices_.end(), is_memory));
  if (waits()) {
    // Model time begins at 0 with full credits; otherwise time and credits continue.
    begin.now_ns = begin_ns_;
    begin.keep_credits = true;
  }
  interferes_ = false;
  for (const auto& device : devices_) {
    if (!device) continue;
    interferes_ = interferes_ || device->taken_share(kFullyLoaded) > 0;
    // A transfer may have begun up to a burst before its report, as reports and waits are late by
    // up to kDebtNs. Model mode, and memory devices in turn, use none.
    begin.burst_ns = !waits() || (in_turn_ && !device->is_disk()) ? 0 : kDebtNs;
    device->begin(begin);
  }
}

void EmulatedMeter::count_threads(std::size_t threads) {
  threads_ = std::max<std::size_t>(1, threads);
  all_threads_ = threads_;
  if (sharing_.size() == 0) return;
  sharing_[process_].store(static_cast<std::uint32_t>(threads_));
  all_threads_ = 0;
  for (const auto& of_process : sharing_.all()) all_threads_ += of_process.load();
}

void EmulatedMeter::share_between(std::size_t processes) {
  HDB_CHECK(processes == 0 || waits(), "a modelled device keeps nobody waiting");
  sharing_ = SharedArray<std::atomic<std::uint32_t>>(processes);
  process_ = 0;
}

EmulatedMeter::Worker& EmulatedMeter::this_worker() {
  thread_local std::uint64_t serial = 0;
  thread_local Worker* mine = nullptr;
  if (serial == query_serial_) return *mine;
  auto worker = std::make_unique<Worker>();
  worker->accessed.resize(devices_.size() + 1);
  // Each worker's share of the last-level cache.
  worker->recent.reset(last_level_cache_bytes_ / all_threads_);
  worker->deadline_ns = worker->own_free_ns = worker->pass_begin_ns = waits() ? begin_ns_ : 0;
  worker->reported_ns = begin_ns_;
  const std::lock_guard lock(workers_mutex_);
  mine = worker.get();
  serial = query_serial_;
  workers_.push_back(std::move(worker));
  return *mine;
}

void EmulatedMeter::access(const Access& access) {
  Worker& worker = this_worker();
  const auto address = reinterpret_cast<std::uintptr_t>(access.address);
  const EmulatedRegion* region = regions_.find(address, worker.last_found);
  const std::size_t device = region != nullptr ? region->device : devices_.size();
  const auto kind = static_cast<int>(access.kind);
  const std::uint64_t own_bytes =
      region != nullptr ? devices_[device]->own_bytes(access) : access.bytes;
  worker.accessed[device].bytes[kind] += own_bytes;
  worker.accessed.back().bytes[kind] += access.bytes - own_bytes;  // the host's
  // Bytes of no region are the host's and are free; in turn they still end the previous pass.
  if (in_turn_) return charge_in_turn(worker, access, region);
  if (region != nullptr) charge_alone(worker, access, *region);
}

// By what the other devices take of its bandwidth at their present load. `device` may be the host.
double EmulatedMeter::slowed_by_others(std::size_t device) const {
  if (!interferes_) return 1;
  double taken = 0;
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    if (d != device && devices_[d]) taken += devices_[d]->taken_share();
  }
  return slowdown_of(taken);
}

// What the host's own memory takes for bytes of no region while devices take from its bandwidth:
// the worker's share of it, beside its work.
void EmulatedMeter::charge_host(Worker& worker, const Access& access, std::int64_t now_ns) {
  worker.begin_pass(now_ns + worker.ahead_ns);
  const double slowed = slowed_by_others(devices_.size());
  if (slowed <= 1 || !host_.read.known()) return;
  const auto threads = static_cast<double>(threads_);
  const double transfer_ns =
      static_cast<double>(access.bytes) * threads / host_.read.at(threads) * slowed;
  worker.deadline_ns =
      std::max(worker.deadline_ns, worker.pass_begin_ns + static_cast<std::int64_t>(transfer_ns));
}

void EmulatedMeter::charge_alone(Worker& worker, const Access& access,
                                 const EmulatedRegion& region) {
  EmulatedDevice& device = *devices_[region.device];
  const std::int64_t now_ns = waits() ? clock_->now_ns() : 0;
  // A wait that ended late must not look like an idle device: ask as if it had ended in time.
  const std::int64_t asked_ns = now_ns - worker.late_ns;
  const Charged charged =
      device.access(access, region, {asked_ns, slowed_by_others(region.device)}, worker.recent);
  Worker::Accessed& accessed = worker.accessed[region.device];
  accessed.own_ns += charged.one_thread_ns;
  accessed.latency_ns += charged.latency_ns;
  if (!waits()) return;
  // The device's latency above the host's. For dependent loads the host's part is the time that
  // they really took since the last report.
  worker.latency_debt_ns += charged.latency_debt_ns + charged.dependent_host_ns -
                            own_loads_ns(charged, now_ns - worker.reported_ns);
  worker.reported_ns = now_ns;
  worker.own_free_ns = std::max(worker.own_free_ns, asked_ns - kDebtNs) + charged.one_thread_ns;
  // Done when both the shared device and this thread's own rate limit allow it.
  worker.deadline_ns = std::max({worker.deadline_ns, charged.deadline_ns, worker.own_free_ns});
  worker.waits_for = is_core_each_ && !device.is_disk() ? WaitFor::kMemory : WaitFor::kDisk;
  pay(worker, now_ns);
}

// A read begins a new pass; a write belongs to the pass of the reads that it was made from. A
// disk's page cache reads ahead while other columns are worked on; loads from memory do not.
void EmulatedMeter::charge_in_turn(Worker& worker, const Access& access,
                                   const EmulatedRegion* region) {
  const bool is_read = access.kind == AccessKind::kRead;
  if (region == nullptr && (!is_read || !waits())) return;
  const std::int64_t now_ns = waits() ? clock_->now_ns() : 0;
  const std::int64_t worked_ns = now_ns - worker.reported_ns;
  worker.reported_ns = now_ns;
  if (region == nullptr) return charge_host(worker, access, now_ns);
  EmulatedDevice& device = *devices_[region->device];
  // Dependent loads are reported after they happened, so they were requested when this report's
  // work began. Devices are booked by the clock and not by a worker's own time; otherwise a worker
  // could wait for bytes that another will request only after its own wait.
  const std::int64_t asked_ns = now_ns + std::min<std::int64_t>(0, worker.ahead_ns) -
                                (access.dependent_accesses > 0 ? worked_ns : 0);
  const Charged charged =
      device.access(access, *region, {asked_ns, slowed_by_others(region->device)}, worker.recent);
  Worker::Accessed& accessed = worker.accessed[region->device];
  accessed.own_ns += device.is_disk() ? charged.one_thread_ns : charged.alone_ns;
  accessed.latency_ns += charged.latency_ns;
  if (!waits()) return;
  const std::int64_t own_loads = own_loads_ns(charged, worked_ns);
  if (is_read) worker.begin_pass(now_ns + worker.ahead_ns - own_loads);
  const std::int64_t latency_ns = charged.latency_debt_ns + charged.dependent_host_ns - own_loads;
  if (device.is_disk()) {
    worker.own_free_ns = std::max(worker.own_free_ns, asked_ns - kDebtNs) + charged.one_thread_ns;
    const std::int64_t there_ns = std::max(worker.own_free_ns, charged.deadline_ns);
    // A disk works beside the worker, whose own time cannot be before its bytes arrive.
    worker.ahead_ns = std::max(worker.ahead_ns + latency_ns, there_ns - now_ns);
  } else if (charged.latency_ns > charged.alone_ns) {
    // Bound by latency: the worker stalls for it now.
    worker.ahead_ns += latency_ns;
    worker.deadline_ns = std::max(worker.deadline_ns, charged.deadline_ns);
  } else {
    // Bound by transfer: it runs from the pass's begin, beside the worker's computation.
    accessed.moved_ns = std::max(accessed.moved_ns, worker.pass_begin_ns) + charged.alone_ns;
    worker.deadline_ns = std::max({worker.deadline_ns, charged.deadline_ns, accessed.moved_ns});
  }
  worker.waits_for = is_core_each_ && !device.is_disk() ? WaitFor::kMemory : WaitFor::kDisk;
  // A late wait leaves ahead_ns negative, which shortens the next one.
  if (worker.ahead_ns > kDebtNs) worker.ahead_ns -= wait(worker, now_ns, worker.ahead_ns);
}

// The time that a worker still has to wait: with one device the longer of transfer and latency; in
// turn what it is ahead, or what is left of its last pass.
std::int64_t EmulatedMeter::Worker::debt_ns(std::int64_t now_ns, bool in_turn) const {
  return std::max(deadline_ns - now_ns, in_turn ? ahead_ns : latency_debt_ns);
}

void EmulatedMeter::Worker::begin_pass(std::int64_t time_ns) {
  const std::int64_t stalled_ns = std::max<std::int64_t>(0, deadline_ns - time_ns);
  ahead_ns += stalled_ns;
  pass_begin_ns = time_ns + stalled_ns;
}

void EmulatedMeter::pay(Worker& worker, std::int64_t now_ns) {
  const std::int64_t transfer_ns = worker.deadline_ns - now_ns;
  const std::int64_t owed_ns = worker.debt_ns(now_ns, false);
  if (owed_ns <= kDebtNs) return;
  const std::int64_t waited_ns = wait(worker, now_ns, owed_ns);
  worker.late_ns = std::max<std::int64_t>(0, waited_ns - owed_ns);
  const bool by_latency = worker.latency_debt_ns >= transfer_ns;
  // A sleep that was too long is deducted from the next latency debt. A wait for the transfer also
  // covers latency that ran at the same time.
  worker.latency_debt_ns = by_latency
                               ? worker.latency_debt_ns - waited_ns
                               : std::max<std::int64_t>(0, worker.latency_debt_ns - waited_ns);
}

std::int64_t EmulatedMeter::wait(Worker& worker, std::int64_t now_ns, std::int64_t owed_ns) {
  clock_->wait_until(now_ns + owed_ns, worker.waits_for, stop_);
  const std::int64_t waited_ns = clock_->now_ns() - now_ns;
  worker.waited_ns += waited_ns;
  worker.reported_ns = now_ns + waited_ns;
  return waited_ns;
}

void EmulatedMeter::wait_off_all() {
  const std::int64_t now_ns = clock_->now_ns();
  std::int64_t until_ns = now_ns;
  WaitFor what = WaitFor::kMemory;
  for (const auto& worker : workers_) {
    // The workers have finished, so one wait for the longest debt serves all.
    const std::int64_t owed_ns = worker->debt_ns(now_ns, in_turn_);
    until_ns = std::max(until_ns, now_ns + owed_ns);
    if (worker->waits_for == WaitFor::kDisk) what = WaitFor::kDisk;
  }
  if (until_ns == now_ns) return;
  clock_->wait_until(until_ns, what, stop_);
  workers_.front()->waited_ns += clock_->now_ns() - now_ns;
}

EmulationResult EmulatedMeter::settle() {
  const std::lock_guard lock(workers_mutex_);
  if (waits()) wait_off_all();
  if (sharing_.size() != 0) sharing_[process_].store(0);
  EmulationResult result;
  result.elapsed_ns = clock_->now_ns() - begin_ns_;
  const std::int64_t start_ns = waits() ? begin_ns_ : 0;
  for (std::size_t d = 0; d <= devices_.size(); ++d) {
    const bool is_host = d == devices_.size();
    if (!is_host && !devices_[d]) continue;
    DeviceCharges charges;
    if (!is_host) {
      const EmulatedDevice& device = *devices_[d];
      charges.device = device.name();
      charges.media = device.media_bytes();
      if (device.has_near_cache()) charges.near_cache = device.near_figures();
      charges.busy_ns = device.busy_until_ns() - start_ns;
    } else {
      charges.device = "host";
    }
    for (const auto& worker : workers_) {
      charges.read_bytes += worker->accessed[d].bytes[0];
      charges.written_bytes += worker->accessed[d].bytes[1];
    }
    result.devices.push_back(std::move(charges));
  }
  for (const auto& worker : workers_) result.waited_ns += worker->waited_ns;
  add_times(result);
  return result;
}

std::vector<EmulatedMeter::DeviceSums> EmulatedMeter::sum_workers() const {
  std::vector<DeviceSums> sums;
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    if (!devices_[d]) continue;
    const MediaBytes media = devices_[d]->media_bytes();
    DeviceSums& sum = sums.emplace_back();
    sum.device = devices_[d].get();
    sum.bytes = static_cast<double>(media.read + media.written);
    for (const auto& worker : workers_) {
      sum.own_ns += static_cast<double>(worker->accessed[d].own_ns);
      sum.latency_ns += static_cast<double>(worker->accessed[d].latency_ns);
    }
  }
  return sums;
}

EmulatedMeter::Times EmulatedMeter::times_of(const std::vector<DeviceSums>& sums,
                                             double all_ns) const {
  const auto workers = static_cast<double>(threads_);
  const std::int64_t start_ns = waits() ? begin_ns_ : 0;
  double taken_of_all = 0;
  for (const DeviceSums& sum : sums) taken_of_all += sum.device->taken_share(sum.bytes / all_ns);
  Times times;
  double all_own_ns = 0;
  for (const DeviceSums& sum : sums) {
    const double gb_s = sum.bytes / all_ns;
    const double taken = taken_of_all - sum.device->taken_share(gb_s);
    const double slowed = slowdown_of(taken);
    const double latency_ns = sum.latency_ns * sum.device->loaded_over_idle(gb_s * slowed);
    // Devices work at the same time: the last one to finish counts.
    times.bandwidth_ns =
        std::max(times.bandwidth_ns, sum.device->busy_ns(start_ns, all_ns, slowed));
    times.latency_ns += latency_ns / workers;
    // One device after the other, as a worker's passes follow one another.
    times.serial_ns += std::max(sum.own_ns, latency_ns) / workers;
    all_own_ns += sum.own_ns;
  }
  times.bandwidth_ns = std::max(times.bandwidth_ns, all_own_ns / workers);
  return times;
}

// Where nobody waited, load is known only from the time that is sought: the more a query takes, the
// less its devices are loaded, and the less time it would take. Between the two ends of that the
// time is found at which both are the same.
void EmulatedMeter::add_times(EmulationResult& result) const {
  constexpr double kUnloadedNs = 1e18;
  constexpr int kHalvings = 60;
  const std::vector<DeviceSums> sums = sum_workers();
  const auto elapsed_ns = static_cast<double>(std::max<std::int64_t>(1, result.elapsed_ns));
  const auto modelled_ns = [&](double all_ns) {
    const Times times = times_of(sums, all_ns);
    return std::max({elapsed_ns, times.bandwidth_ns, times.latency_ns, times.serial_ns});
  };
  double all_ns = kUnloadedNs;
  if (!waits()) {
    double less_ns = elapsed_ns;
    all_ns = modelled_ns(elapsed_ns);
    for (int k = 0; k < kHalvings && all_ns - less_ns > 1; ++k) {
      const double middle_ns = (less_ns + all_ns) / 2;
      (modelled_ns(middle_ns) > middle_ns ? less_ns : all_ns) = middle_ns;
    }
  }
  const Times times = times_of(sums, all_ns);
  result.bandwidth_ns = static_cast<std::int64_t>(times.bandwidth_ns);
  result.latency_ns = static_cast<std::int64_t>(times.latency_ns);
  result.serial_ns = static_cast<std::int64_t>(times.serial_ns);
  result.modelled_ns =
      waits()
          ? result.elapsed_ns
          : std::max({result.elapsed_ns, result.bandwidth_ns, result.latency_ns, result.serial_ns});
}

void EmulatedMeter::drop_caches(std::size_t device) {
  devices_[device]->clear();
  regions_.set_windows(static_cast<std::uint32_t>(device), false);
}

void EmulatedMeter::fill_caches(std::size_t device) {
  regions_.set_windows(static_cast<std::uint32_t>(device), true);
}

bool EmulatedMeter::charges(const std::byte* address, std::size_t device) const {
  const EmulatedRegion* region = regions_.find(reinterpret_cast<std::uintptr_t>(address));
  return region != nullptr && region->device == device;
}

std::shared_ptr<EmulatedMeter> make_shared_meter(const EmulationOptions& options) {
  auto meter = EmulatedMeter::make(
      {options.mode, {}, options.host, options.last_level_cache_bytes, nullptr});
  HDB_CHECK(meter.ok(), "a meter without devices can always be made");
  return std::move(meter).value();
}

std::string_view word(EmulationMode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

Result<EmulationMode> parse_emulation_mode(std::string_view text) {
  const auto* const found = std::find(kModeNames.begin(), kModeNames.end(), text);
  if (found != kModeNames.end()) return static_cast<EmulationMode>(found - kModeNames.begin());
  return usage_error(
      fmt::format("--emulation: '{}' is not one of {}", text, fmt::join(kModeNames, ", ")));
}

}  // namespace hdbench::pmem

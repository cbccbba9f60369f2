// What a query did, step by step, so that it can be replayed as if its columns lay elsewhere.
//
// A query is recorded while a pool rehearses so many workers on one thread (thread_pool.h): nothing
// slows anything, and what is timed is the work of one core with its columns in this machine's
// DRAM. Each access that an operator reports becomes a step: what it needs of every device that is
// asked about, and the work that followed it until the next one.
//
// Telling accesses takes time of its own, and some queries tell hundreds of thousands. So what is
// accessed is recorded in one run, whose work only says how a task's time is shared out to its
// steps, and the time of each task in others, where nothing is told.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/query_list.h"
#include "engine/base/meter.h"
#include "engine/base/thread_pool.h"
#include "pmem/emulator/emulated_device.h"

namespace hdbench::bench {

// A column in one partition, or all that lies in no column: results and what is made on the way.
struct TracePlace {
  std::string table;
  std::string column;
  std::size_t part = 0;
};
inline constexpr std::size_t kNoColumn = 0;  // the first place

// The first device: this machine's own memory, in which queries are recorded.
inline constexpr std::size_t kHostDevice = 0;

struct TraceStep {
  std::size_t place = kNoColumn;
  AccessKind kind = AccessKind::kRead;
  bool is_work = false;  // there was no access: work before the first one
  std::uint64_t bytes = 0;
  std::uint64_t dependent = 0;  // accesses that waited for one another, before the report
  std::int64_t work_ns = 0;     // that followed
  std::vector<Demand> demands;  // by device
};

struct TraceTask {
  std::vector<TraceStep> steps;
};

// What the caller did alone, as one task, or a run of the pool, by task.
struct TraceSection {
  bool is_parallel = false;
  std::vector<TraceTask> tasks;
};

struct Trace {
  std::vector<TraceSection> sections;
};

// Nanoseconds of work by section and task.
struct TraceTiming {
  std::vector<std::vector<std::int64_t>> tasks;

  std::int64_t section_ns(std::size_t section) const;
};

TraceTiming timing_of(const Trace& trace);
// Whether both have the same sections and tasks.
bool fits(const TraceTiming& timing, const Trace& trace);
// Of the sections of this kind.
std::int64_t work_ns(const Trace& trace, const TraceTiming& timing, bool is_parallel);

// The bytes of columns and the devices that are asked about, each of which sees them as its own.
class TraceTargets {
 public:
  TraceTargets();

  // Before any device.
  void add_column(const TracePlace& place, const Column& column);
  // Returns its number. Errors: EmulatedDevice::make()'s.
  Result<std::size_t> add_device(const EmulatedDeviceSetup& setup, const HostCalibration& host);
  // As before a first query: page caches are empty. Near caches stay as they are.
  void make_cold();

  std::size_t devices() const { return devices_.size(); }
  EmulatedDevice& device(std::size_t number) { return *devices_[number].device; }
  const std::vector<TracePlace>& places() const { return places_; }
  // Of all parts of a column's places, what they take.
  std::uint64_t bytes_of(std::size_t place) const { return bytes_[place]; }

  // Fills in the step of an access: its place and what it needs of each device. The worker's own
  // RecentRanges by device.
  void fill(const Access& access, std::vector<RecentRanges>& recent, TraceStep& step);

 private:
  struct Span {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::size_t place = kNoColumn;
  };
  struct Device {
    std::unique_ptr<EmulatedDevice> device;
    std::vector<EmulatedRegion> regions;  // by span
    EmulatedRegion elsewhere;
  };
  void add_span(std::size_t place, const std::byte* data, std::size_t bytes);
  void place_regions(Device& device);

  std::vector<TracePlace> places_;
  std::vector<std::uint64_t> bytes_;  // by place
  std::vector<Span> spans_;           // rising once there is a device
  std::vector<Device> devices_;
};

// Of a run without the meter it has the tasks alone, each as one step of work.
class TraceRecorder final : public AccessMeter, public RehearsalObserver {
 public:
  // cache_bytes: of the last level, which the workers share.
  TraceRecorder(TraceTargets& targets, std::size_t workers, std::uint64_t cache_bytes);

  // Around the query.
  void begin();
  Trace end();

  void access(const Access& access) override;
  // Results are made in DRAM.
  bool meters_working_memory() const override { return false; }
  void begin_run(std::size_t tasks) override;
  void begin_task(std::size_t task, std::size_t worker) override;
  void end_task() override;
  void end_run() override;

 private:
  using Clock = std::chrono::steady_clock;
  void stop_work(Clock::time_point now);
  void begin_section(bool is_parallel);

  TraceTargets& targets_;
  std::vector<std::vector<RecentRanges>> recent_;  // by worker and device
  std::uint64_t cache_of_worker_;
  std::size_t worker_ = 0;
  std::size_t task_ = 0;
  Trace trace_;
  Clock::time_point working_since_;
};

}  // namespace hdbench::bench

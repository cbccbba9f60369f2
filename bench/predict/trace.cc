#include "bench/predict/trace.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/check.h"

namespace hdbench::bench {

std::int64_t TraceTiming::section_ns(std::size_t section) const {
  return std::accumulate(tasks[section].begin(), tasks[section].end(), std::int64_t{0});
}

TraceTiming timing_of(const Trace& trace) {
  TraceTiming timing;
  for (const TraceSection& section : trace.sections) {
    std::vector<std::int64_t>& tasks = timing.tasks.emplace_back();
    for (const TraceTask& task : section.tasks) {
      std::int64_t& ns = tasks.emplace_back(0);
      for (const TraceStep& step : task.steps) ns += step.work_ns;
    }
  }
  return timing;
}

bool fits(const TraceTiming& timing, const Trace& trace) {
  return std::equal(timing.tasks.begin(), timing.tasks.end(), trace.sections.begin(),
                    trace.sections.end(), [](const auto& tasks, const TraceSection& section) {
                      return tasks.size() == section.tasks.size();
                    });
}

std::int64_t work_ns(const Trace& trace, const TraceTiming& timing, bool is_parallel) {
  std::int64_t sum = 0;
  for (std::size_t s = 0; s < trace.sections.size(); ++s) {
    if (trace.sections[s].is_parallel == is_parallel) sum += timing.section_ns(s);
  }
  return sum;
}

TraceTargets::TraceTargets() : places_(1), bytes_(1, 0) {}

void TraceTargets::add_span(std::size_t place, const std::byte* data, std::size_t bytes) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  spans_.push_back({begin, begin + bytes, place});
  bytes_[place] += bytes;
}

void TraceTargets::add_column(const TracePlace& place, const Column& column) {
  HDB_CHECK(devices_.empty(), "devices come after the columns");
  places_.push_back(place);
  bytes_.push_back(0);
  const std::size_t number = places_.size() - 1;
  add_span(number, column.data, column.bytes());
  add_span(number, column.heap.data(), column.heap.size());
  add_span(number, column.index_bytes.data(), column.index_bytes.size());
}

void TraceTargets::place_regions(Device& device) {
  device.regions.clear();
  for (const Span& span : spans_) {
    device.regions.push_back(device.device->place(span.begin, span.end, 0));
  }
}

Result<std::size_t> TraceTargets::add_device(const EmulatedDeviceSetup& setup,
                                             const HostCalibration& host) {
  Device device;
  HDB_ASSIGN(device.device, EmulatedDevice::make(setup, host));
  std::sort(spans_.begin(), spans_.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  place_regions(device);
  device.device->begin({});
  devices_.push_back(std::move(device));
  return devices_.size() - 1;
}

void TraceTargets::make_cold() {
  for (Device& device : devices_) {
    if (device.device->is_disk()) place_regions(device);
  }
}

void TraceTargets::fill(const Access& access, std::vector<RecentRanges>& recent, TraceStep& step) {
  const auto address = reinterpret_cast<std::uintptr_t>(access.address);
  auto after =
      std::upper_bound(spans_.begin(), spans_.end(), address,
                       [](std::uintptr_t at, const Span& span) { return at < span.begin; });
  const bool is_known = after != spans_.begin() && address < std::prev(after)->end;
  const auto number = static_cast<std::size_t>(after - spans_.begin()) - 1;
  step.place = is_known ? spans_[number].place : kNoColumn;
  for (std::size_t d = 0; d < devices_.size(); ++d) {
    Device& device = devices_[d];
    const EmulatedRegion& region = is_known ? device.regions[number] : device.elsewhere;
    step.demands.push_back(device.device->demand(access, region, recent[d]));
  }
}

TraceRecorder::TraceRecorder(TraceTargets& targets, std::size_t workers, std::uint64_t cache_bytes)
    : targets_(targets),
      recent_(workers, std::vector<RecentRanges>(targets.devices())),
      cache_of_worker_(cache_bytes / workers) {}

void TraceRecorder::begin_section(bool is_parallel) {
  trace_.sections.push_back({is_parallel, {}});
  if (!is_parallel) trace_.sections.back().tasks.emplace_back();
  task_ = 0;
}

void TraceRecorder::begin() {
  trace_ = {};
  worker_ = 0;
  for (auto& of_worker : recent_) {
    for (RecentRanges& ranges : of_worker) ranges.reset(cache_of_worker_);
  }
  begin_section(false);
  working_since_ = Clock::now();
}

// Adds the work since the last report to the step that it belongs to.
void TraceRecorder::stop_work(Clock::time_point now) {
  const auto worked_ns = (now - working_since_).count();
  std::vector<TraceStep>& steps = trace_.sections.back().tasks[task_].steps;
  if (steps.empty()) {
    TraceStep first;
    first.is_work = true;
    steps.push_back(std::move(first));
  }
  steps.back().work_ns += worked_ns;
}

Trace TraceRecorder::end() {
  stop_work(Clock::now());
  return std::move(trace_);
}

void TraceRecorder::access(const Access& access) {
  stop_work(Clock::now());
  TraceStep step;
  step.kind = access.kind;
  step.bytes = access.bytes;
  step.dependent = access.dependent_accesses;
  targets_.fill(access, recent_[worker_], step);
  trace_.sections.back().tasks[task_].steps.push_back(std::move(step));
  working_since_ = Clock::now();
}

void TraceRecorder::begin_run(std::size_t tasks) {
  stop_work(Clock::now());
  begin_section(true);
  trace_.sections.back().tasks.resize(tasks);
}

void TraceRecorder::begin_task(std::size_t task, std::size_t worker) {
  worker_ = worker;
  task_ = task;
  working_since_ = Clock::now();
}

void TraceRecorder::end_task() { stop_work(Clock::now()); }

void TraceRecorder::end_run() {
  worker_ = 0;
  begin_section(false);
  working_since_ = Clock::now();
}

}  // namespace hdbench::bench

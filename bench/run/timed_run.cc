#include "bench/run/timed_run.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "pmem/base/page_counters.h"

namespace hdbench::bench {
namespace {

double process_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

// Each meter charges the regions that are its own.
class Meters final : public AccessMeter {
 public:
  explicit Meters(const std::vector<EmulatedMeter*>& meters) : meters_(meters) {}
  void access(const Access& access) override {
    for (EmulatedMeter* meter : meters_) meter->access(access);
  }

 private:
  const std::vector<EmulatedMeter*>& meters_;
};

}  // namespace

Result<TimedRun> timed_run(const Table& table, const Plan& plan, const Setting& setting,
                           const RunResources& resources) {
  TimedRun run;
  run.workspace =
      std::make_unique<Workspace>(resources.limit_bytes, resources.results, resources.spill);
  ExecuteSettings settings;
  settings.mode = setting.mode;
  settings.use_index = setting.attr == AttrUse::kParted;
  settings.stop = &resources.stop;
  settings.prefetcher = resources.prefetcher;

  Meters meters(resources.meters);
  if (resources.meters.size() == 1) settings.meter = resources.meters.front();
  if (resources.meters.size() > 1) settings.meter = &meters;

  resources.pool.wake();
  const PageCounters counters_before = read_page_counters();
  const double cpu_before_ms = process_cpu_ms();
  for (EmulatedMeter* meter : resources.meters) meter->begin(setting.threads, &resources.stop);
  const auto begin = std::chrono::steady_clock::now();
  Result<ResultTable> result =
      execute(table, plan, settings, resources.pool, *run.workspace, &run.stats);
  for (EmulatedMeter* meter : resources.meters) run.emulations.push_back(meter->settle());
  const auto end = std::chrono::steady_clock::now();
  // The columns are mapped now; caches that were to be cold are warm in either figure.
  if (run.stats.restarted) return timed_run(table, plan, setting, resources);
  // A wait that was cut short makes no figure.
  if (!resources.meters.empty() && resources.stop.load()) return usage_error("interrupted");
  run.cpu_ms = process_cpu_ms() - cpu_before_ms;
  const PageCounters counted = read_page_counters().since(counters_before);

  run.real_ms = std::chrono::duration<double, std::milli>(end - begin).count();
  for (const EmulationResult& emulation : run.emulations) {
    run.real_ms = std::max(run.real_ms, static_cast<double>(emulation.modelled_ns) * 1e-6);
  }
  run.major_faults = counted.major_faults;
  run.minor_faults = counted.minor_faults;
  run.device_bytes = counted.device_bytes_read;
  run.used_bytes = run.workspace->used_bytes();
  run.peak_bytes = run.workspace->peak_bytes();
  run.spilled_bytes = run.workspace->spilled_bytes();
  if (result.ok()) {
    run.table = std::move(*result);
  } else if (result.error().kind == ErrorKind::kLimit) {
    run.limit_message = result.error().message;
  } else {
    return result.error();
  }
  return run;
}

}  // namespace hdbench::bench

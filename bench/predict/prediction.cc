#include "bench/predict/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/base/progress.h"
#include "bench/base/statistics.h"
#include "bench/run/placement_notes.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

// The table with most rows: it is what a size is said of.
struct LargestTable {
  double rows = 0;
  double partitions = 1;
};
LargestTable largest_table(const std::vector<ListedQuery>& queries,
                           const TablePlacement& placement) {
  LargestTable largest;
  for (const std::string& name : tables_of(queries)) {
    const Table& table = placement.table(name);
    const auto rows = static_cast<double>(rows_of(table));
    if (rows > largest.rows) largest = {rows, static_cast<double>(table.part_count())};
  }
  return largest;
}

// Of the host itself the first.
Result<std::vector<std::size_t>> add_devices(const PredictionQuestion& question,
                                             const HostMemory& host,
                                             const EmulationOptions& options,
                                             TraceTargets& targets) {
  EmulatedDeviceSetup own{host.profile, 0, {}};
  std::vector<std::size_t> devices;
  HDB_TRY(targets.add_device(own, host.calibration));
  for (const std::string& medium : question.media) {
    if (medium == "dram") {
      devices.push_back(0);
      continue;
    }
    HDB_ASSIGN(const MediumSpec word, parse_medium_spec(medium));
    if (!is_emulated(word)) {
      return usage_error(fmt::format(
          "--on: {}: expected dram, or a medium with a profile, such as cxl:cxl-cz122", medium));
    }
    HDB_ASSIGN(const EmulatedDeviceSetup setup, emulated_setup(word, options));
    HDB_ASSIGN(const std::size_t number, targets.add_device(setup, host.calibration));
    devices.push_back(number);
  }
  return devices;
}

PredictedTime summary(const std::vector<ReplayTimes>& times) {
  std::vector<double> totals;
  for (const ReplayTimes& one : times) totals.push_back(one.total_ns);
  const double middle = median(totals);
  const auto nearest =
      std::min_element(times.begin(), times.end(), [&](const ReplayTimes& a, const ReplayTimes& b) {
        return std::abs(a.total_ns - middle) < std::abs(b.total_ns - middle);
      });
  constexpr double kMsPerNs = 1e-6;
  PredictedTime time;
  time.ms = middle * kMsPerNs;
  time.low_ms = *std::min_element(totals.begin(), totals.end()) * kMsPerNs;
  time.high_ms = *std::max_element(totals.begin(), totals.end()) * kMsPerNs;
  time.work_ms = nearest->work_ns * kMsPerNs;
  time.bandwidth_ms = nearest->bandwidth_ns * kMsPerNs;
  time.latency_ms = nearest->latency_ns * kMsPerNs;
  time.waiting_ms = nearest->waiting_ns * kMsPerNs;
  return time;
}

}  // namespace

Result<Prediction> predict(Session& session, const std::vector<ListedQuery>& queries,
                           const Setting& setting, const PredictionQuestion& question) {
  Prediction prediction;
  prediction.media = question.media;
  HDB_ASSIGN(prediction.host,
             measure_host_memory(session.pools(), session.options().ceiling_bytes));
  HDB_ASSIGN(const std::unique_ptr<TablePlacement> placement,
             session.place(tables_of(queries),
                           {"dram", setting.layout, setting.codes, setting.compressed}));
  HDB_ASSIGN(const BoundQueries bound, bind_all(queries, *placement));
  HDB_TRY(session.map_needed(queries, bound, *placement));
  const LargestTable largest = largest_table(queries, *placement);
  prediction.partitions_factor =
      question.partitions.value_or(largest.partitions) / largest.partitions;
  prediction.rows_factor = question.rows.value_or(largest.rows * prediction.partitions_factor) /
                           largest.rows / prediction.partitions_factor;
  Recording recording(session, *placement, bound);
  EmulationOptions options = session.options().media.emulation;
  options.host = prediction.host.calibration;
  options.last_level_cache_bytes = prediction.host.cache_bytes;
  HDB_ASSIGN(const std::vector<std::size_t> devices,
             add_devices(question, prediction.host, options, recording.targets()));
  RecordingRule rule;
  rule.workers = setting.threads;
  rule.repetitions = question.repetitions;
  rule.mode = setting.mode;
  rule.use_index = setting.attr == AttrUse::kParted;
  Progress progress("predict");
  for (const ListedQuery& listed : queries) {
    progress.show(prediction.queries.size(), queries.size(), query_label(listed.id));
    rule.evicts = true;
    HDB_ASSIGN(const RecordedQuery recorded,
               recording.record(listed, bound.at(listed.id), rule, prediction.host.cache_bytes));
    PredictedQuery predicted{recorded.id, recorded.rows_out, {}};
    for (const std::size_t device : devices) {
      ReplayQuestion asked;
      asked.device_of_place.assign(recording.targets().places().size(), device);
      asked.device_of_place[kNoColumn] = 0;
      asked.workers = setting.threads;
      asked.users = question.users;
      asked.cpus = question.cpus > 0 ? question.cpus : setting.threads;
      asked.rows = prediction.rows_factor;
      asked.partitions = prediction.partitions_factor;
      asked.is_split = setting.mode == Mode::k40;
      asked.result_grows = recorded.result_grows;
      std::vector<ReplayTimes> times;
      for (const Trace& trace : recorded.traces)
        times.push_back(replay(trace, recorded.fixed, recording.targets(), asked));
      predicted.on.push_back(summary(times));
    }
    prediction.queries.push_back(std::move(predicted));
  }
  return prediction;
}

}  // namespace hdbench::bench

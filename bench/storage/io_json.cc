#include "bench/storage/io_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "bench/base/json_value.h"
#include "bench/base/version.h"

namespace hdbench {
namespace {

Json targets_json(const std::vector<IoTarget>& targets) {
  Json list = Json::array();
  for (const IoTarget& target : targets) {
    list.push_back({{"path", target.path.string()},
                    {"place", target.place},
                    {"filesystem", target.filesystem},
                    {"mount_options", target.mount_options},
                    {"device", target.device},
                    {"readahead_bytes", or_null(target.readahead_bytes)},
                    {"memory", target.memory},
                    {"dax", target.dax},
                    {"direct_io", target.direct_io}});
  }
  return list;
}

Json ceilings_json(const std::vector<IoCeiling>& ceilings) {
  Json list = Json::array();
  for (const IoCeiling& ceiling : ceilings) {
    list.push_back({{"name", ceiling.name},
                    {"median_mb_per_s", ceiling.median_mb_s},
                    {"best_mb_per_s", ceiling.best_mb_s},
                    {"reason", text_or_null(ceiling.reason)}});
  }
  return list;
}

Json caches_json(const Host& host) {
  Json list = Json::array();
  for (const CpuCache& cache : host.caches) {
    list.push_back({{"type", cache.type},
                    {"level", cache.level},
                    {"size", cache.bytes},
                    {"num_sharing", cache.sharing}});
  }
  return list;
}

Json context_json(const IoRun& run, const std::string& command) {
  Json json;
  json["date"] = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
  json["host_name"] = run.host.host_name;
  json["executable"] = "hdbench";
  json["num_cpus"] = run.host.cpus;
  if (run.host.mhz) json["mhz_per_cpu"] = static_cast<std::int64_t>(*run.host.mhz);
  json["caches"] = caches_json(run.host);
  json["library_build_type"] = build_type();
  json["machine_model"] = run.host.cpu_model;
  json["memory_bytes"] = run.host.memory_bytes;
  json["kernel"] = run.host.kernel;
  json["hdbench_version"] = version();
  json["commit"] = commit();
  json["tool"] = "io";
  json["command"] = command;
  json["quick"] = run.options.quick;
  json["bytes"] = run.options.bytes;
  json["repetitions"] = run.options.reps;
  json["pass_seconds"] = run.options.pass_seconds;
  json["order_seed"] = run.options.seed;
  json["budget_s"] = or_null(run.options.budget_s);
  json["elapsed_s"] = run.elapsed_s;
  json["complete"] = run.complete;
  json["interval"] = {{"of", "the median"},
                      {"method", "percentile bootstrap"},
                      {"level", kIntervalLevel},
                      {"resamples", kResamples}};
  json["vectors"] = {{"tiny", run.vectors.tiny},     {"small", run.vectors.small},
                     {"medium", run.vectors.medium}, {"large", run.vectors.large},
                     {"huge", run.vectors.huge},     {"scale", run.vectors.scale}};
  json["targets"] = targets_json(run.targets);
  json["ceilings"] = ceilings_json(run.ceilings);
  json["left_out"] = run.left_out;
  json["preflight"] = run.preflight;
  return json;
}

double ms_of(const IoResult& result, double figure) {
  return result.unit == "ms" ? figure : 1e3 / std::max(figure, 1e-9);
}

// Slow ones are high in ms and low in MB/s.
Json times_json(const IoResult& result) {
  Json times = Json::array();
  for (const double sample : result.samples) times.push_back(ms_of(result, sample));
  return times;
}

void add_times(Json& json, const IoResult& result) {
  const bool shown = result.is_result();
  json["run_type"] = "iteration";
  json["repetitions"] = result.samples.size();
  json["repetition_index"] = 0;
  json["iterations"] = 1;
  json["real_time"] = shown ? Json(ms_of(result, result.median)) : Json();
  json["cpu_time"] = nullptr;  // the kernel's and the processes' together: not told apart
  json["time_unit"] = "ms";
  json["time_of"] = result.unit == "ms" ? "one operation" : "10^6 bytes";
  json["times_ms"] = shown ? times_json(result) : Json::array();
  json["unit"] = result.unit;
  json["samples"] = result.samples;
  json["median"] = shown ? Json(result.median) : Json();
  json["interval"] = shown && result.interval
                         ? Json::array({result.interval->low, result.interval->high})
                         : Json();
  json["bytes_per_second"] = shown && result.unit == "MB/s" ? Json(result.median * 1e6) : Json();
  // What was measured and is no result.
  json["flagged"] = !shown && !result.samples.empty() ? Json(result.median) : Json();
}

Json latency_json(const IoLatency& latency) {
  return {{"p50", or_null(latency.p50)}, {"p90", or_null(latency.p90)},
          {"p99", or_null(latency.p99)}, {"p99.9", or_null(latency.p99_9)},
          {"max", latency.max},          {"mean", or_null(latency.mean)}};
}

Json result_json(const IoResult& result) {
  Json json;
  json["name"] = result.name;
  json["run_name"] = result.name;
  add_times(json, result);
  json["test"] = result.test;
  json["group"] = result.group;
  json["what"] = result.what;
  json["processes"] = result.processes;
  json["block_bytes"] = result.block_bytes;
  json["engine"] = result.engine;
  json["cache"] = result.cache;
  json["vector"] = text_or_null(result.vector);
  json["type"] = text_or_null(result.type);
  json["sync"] = text_or_null(result.sync);
  json["process_spread"] = result.process_spread;
  json["bytes"] = result.bytes;
  json["operations"] = result.operations;
  json["seconds"] = result.seconds;
  json["iops"] = result.iops;
  json["latency_ns"] = latency_json(result.latency);
  json["resident_before"] = result.resident_before;
  json["resident_of_bytes"] = result.resident_of;
  json["major_faults"] = result.major_faults;
  json["device_bytes"] = or_null(result.device_bytes_read);
  json["device_bytes_written"] = or_null(result.device_bytes_written);
  json["checksum"] = fmt::format("{:016x}", result.checksum);
  json["checked"] = result.checked;
  json["ceiling"] = text_or_null(result.ceiling);
  json["ceiling_mb_per_s"] = result.ceiling_mb_s > 0 ? Json(result.ceiling_mb_s) : Json();
  json["above_ceiling"] = result.above_ceiling;
  json["published"] = text_or_null(result.published);
  json["error"] = or_null(result.error);
  if (result.error) {  // Google Benchmark's names for it
    json["error_occurred"] = true;
    json["error_message"] = *result.error;
  }
  return json;
}

}  // namespace

std::string io_json(const IoRun& run, const std::string& command) {
  Json json;
  json["context"] = context_json(run, command);
  json["benchmarks"] = Json::array();
  for (const IoResult& result : run.results) json["benchmarks"].push_back(result_json(result));
  constexpr int kIndent = 1;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench

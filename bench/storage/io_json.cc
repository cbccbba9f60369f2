#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <new>
#include <utility>

#include "bench/base/json_fields.h"
#include "bench/base/version.h"
#include "bench/results/results_json.h"
#include "bench/storage/io_results.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"

// Each struct's fields, named once for both ways (json_fields.h).
namespace hdbench::bench {

void fields(JsonFields& a, IoTarget& target) {
  std::string path = target.path.string();
  a("path", path);
  target.path = path;
  HDB_FIELDS(target, place, filesystem, mount_options, device, readahead_bytes, memory, dax,
             direct_io);
}

void fields(JsonFields& a, IoRank& rank) { HDB_FIELDS(rank, name, host, targets); }

void fields(JsonFields& a, IoCeiling& ceiling) {
  a("name", ceiling.name);
  a("median_mb_per_s", ceiling.median_mb_s);
  a("best_mb_per_s", ceiling.best_mb_s);
  a.or_null("reason", ceiling.reason);
}

void fields(JsonFields& a, IoVectors& vectors) {
  HDB_FIELDS(vectors, tiny, small, medium, large, huge, scale);
}

void fields(JsonFields& a, IoLatency& latency) {
  HDB_FIELDS(latency, p50, p90, p99);
  a("p99.9", latency.p99_9);
  a("max", latency.max);
  a("mean", latency.mean);
}

void fields(JsonFields& a, SavedIo& saved) {
  IoRun& run = saved.run;
  a("date", saved.date);
  a.derived("executable", "hdbench");
  fields(a, run.host);
  a.derived("library_build_type", build_type());
  a.derived("hdbench_version", version());
  a.derived("schema_version", kResultsSchemaVersion);
  a("commit", saved.commit);
  a.derived("tool", "io");
  a("command", saved.command);
  a("quick", run.options.quick);
  a("bytes", run.options.bytes);
  a("repetitions", run.options.reps);
  a("pass_seconds", run.options.pass_seconds);
  a("order_seed", run.options.seed);
  a("budget_s", run.options.budget_s);
  a("elapsed_s", run.elapsed_s);
  a("complete", run.complete);
  a.derived("interval", {{"of", "the median"},
                         {"method", "percentile bootstrap"},
                         {"level", kIntervalLevel},
                         {"resamples", kResamples}});
  HDB_FIELDS(run, vectors, targets, ceilings, left_out, preflight);
  a.if_any("ranks", run.ranks);
}

// Written only. Slow ones are high in ms and low in MB/s. Google Benchmark's tools want numbers: a
// time that is not known is 0.
void add_times(JsonFields& a, const IoResult& result) {
  const auto ms_of = [&](double figure) {
    return result.unit == "ms" ? figure : 1e3 / std::max(figure, 1e-9);
  };
  const bool shown = result.is_result();
  std::vector<double> times;
  for (const double sample : result.samples) times.push_back(ms_of(sample));
  a.derived("run_type", "iteration");
  a.derived("repetitions", result.samples.size());
  a.derived("repetition_index", 0);
  a.derived("iterations", 1);
  a.derived("real_time", shown ? ms_of(result.median) : 0.0);
  a.derived("cpu_time", 0.0);  // the kernel's and the processes' together: not distinguished
  a.derived("time_unit", "ms");
  a.derived("time_of", result.unit == "ms" ? "one operation" : "10^6 bytes");
  a.derived("times_ms", shown ? Json(times) : Json::array());
  a.derived("median", shown ? Json(result.median) : Json());
  a.derived("interval", shown && result.interval
                            ? Json::array({result.interval->low, result.interval->high})
                            : Json());
  a.derived("bytes_per_second",
            shown && result.unit == "MB/s" ? Json(result.median * 1e6) : Json());
  // What was measured and is no result.
  a.derived("flagged", !shown && !result.samples.empty() ? Json(result.median) : Json());
}

void figure_fields(JsonFields& a, IoResult& result) {
  HDB_FIELDS(result, samples, process_spread, bytes, operations, seconds, iops);
  a.if_any("rank_medians", result.rank_medians);
  a("latency_ns", result.latency);
  a("resident_before", result.resident_before);
  a("resident_of_bytes", result.resident_of);
  a("major_faults", result.major_faults);
  a("device_bytes", result.device_bytes_read);
  a("device_bytes_written", result.device_bytes_written);
  std::string checksum = fmt::format("{:016x}", result.checksum);
  a("checksum", checksum);
  result.checksum = std::stoull(checksum, nullptr, 16);
  a("checked", result.checked);
  if (!a.reads()) return;
  if (!result.samples.empty()) result.median = median(result.samples);
  result.interval = median_interval({result.samples, {}});
}

void fields(JsonFields& a, IoResult& result) {
  a("name", result.name);
  a.derived("run_name", result.name);
  if (!a.reads()) add_times(a, result);
  HDB_FIELDS(result, unit, test, group, what, processes, block_bytes, engine, cache);
  a.or_null("vector", result.vector);
  a.or_null("type", result.type);
  a.or_null("sync", result.sync);
  figure_fields(a, result);
  a.or_null("ceiling", result.ceiling);
  std::optional<double> ceiling;
  if (result.ceiling_mb_s > 0) ceiling = result.ceiling_mb_s;
  a("ceiling_mb_per_s", ceiling);
  result.ceiling_mb_s = ceiling.value_or(0);
  a("above_ceiling", result.above_ceiling);
  a.or_null("published", result.published);
  a("error", result.error);
  if (result.is_result()) return;
  a.derived("error_occurred", true);  // Google Benchmark's names for it
  const char* const why = result.above_ceiling ? "above its ceiling" : "not measured";
  a.derived("error_message", result.error.value_or(why));
}

namespace {

// Null: it is no results of `hdbench io`.
Json parse_io_file(const std::filesystem::path& file) {
  const Result<std::string> text = read_text(file, kResultsBytesMax);
  if (!text.ok() || json_depth(*text) > kJsonDepthMax) return Json();
  Json json = Json::parse(*text, nullptr, false);
  const bool says_io = json.is_object() && json.contains("context") &&
                       json["context"].is_object() &&
                       json["context"].value("tool", Json()) == "io" && json.contains("benchmarks");
  return says_io ? std::move(json) : Json();
}

}  // namespace

std::string io_json(const IoRun& run, const std::string& command) {
  SavedIo saved;
  saved.date = fmt::format("{:%Y-%m-%dT%H:%M:%S%z}", fmt::localtime(std::time(nullptr)));
  saved.commit = commit();
  saved.command = command;
  saved.run = run;
  Json json = Json::object();
  JsonFields writer(json, JsonFields::Way::kWrite);
  writer("context", saved);
  writer("benchmarks", saved.run.results);
  constexpr int kIndent = 1;
  return printable(json.dump(kIndent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

bool is_io_results(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && !parse_io_file(file).is_null();
}

Result<SavedIo> read_io_results(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return usage_error(file.string() + ": there is no such file");
  }
  Json json = parse_io_file(file);
  if (json.is_null()) {
    return data_error(file.string() + ": no results of `hdbench io --out`");
  }
  HDB_TRY(check_schema_version(json["context"], file.string()));
  try {
    SavedIo saved;
    JsonFields reader(json, JsonFields::Way::kRead);
    reader("context", saved);
    reader("benchmarks", saved.run.results);
    saved.file = file.string();
    saved.machine = fmt::format("{}, {} CPUs", saved.run.host.cpu_model, saved.run.host.cpus);
    return saved;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& bad) {
    return data_error(fmt::format("{}: {}", file.string(), bad.what()));
  }
}

}  // namespace hdbench::bench

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/io/io_json.h"

namespace hdbench {
namespace {

using Json = nlohmann::ordered_json;

Json parse_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return Json::parse(stream, nullptr, false);
}

bool says_io(const Json& json) {
  return json.is_object() && json.contains("context") && json["context"].is_object() &&
         json["context"].value("tool", "") == "io" && json.contains("benchmarks");
}

template <typename T>
std::optional<T> optional_of(const Json& json, const char* name) {
  const Json& value = json.at(name);
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

std::string text_of(const Json& json, const char* name) {
  return optional_of<std::string>(json, name).value_or("");
}

IoTarget target_of(const Json& json) {
  IoTarget target;
  target.path = json.at("path").get<std::string>();
  target.place = json.at("place");
  target.filesystem = json.at("filesystem");
  target.mount_options = json.at("mount_options");
  target.device = json.at("device");
  target.readahead_bytes = optional_of<std::uint64_t>(json, "readahead_bytes");
  target.memory = json.at("memory");
  target.dax = json.at("dax");
  target.direct_io = json.at("direct_io");
  return target;
}

IoLatency latency_of(const Json& json) {
  return {optional_of<double>(json, "p50"), optional_of<double>(json, "p90"),
          optional_of<double>(json, "p99"), optional_of<double>(json, "p99.9"),
          json.at("max").get<std::uint64_t>()};
}

void read_figures(const Json& json, IoResult& result) {
  result.samples = json.at("samples").get<std::vector<double>>();
  if (!result.samples.empty()) result.median = median(result.samples);
  result.interval = median_interval(result.samples);
  result.process_spread = json.at("process_spread");
  result.bytes = json.at("bytes");
  result.operations = json.at("operations");
  result.seconds = json.at("seconds");
  result.iops = json.at("iops");
  result.latency = latency_of(json.at("latency_ns"));
  result.resident_before = json.at("resident_before");
  result.resident_of = json.at("resident_of_bytes");
  result.major_faults = json.at("major_faults");
  result.device_bytes_read = optional_of<std::uint64_t>(json, "device_bytes");
  result.device_bytes_written = optional_of<std::uint64_t>(json, "device_bytes_written");
  result.checksum = std::stoull(json.at("checksum").get<std::string>(), nullptr, 16);
  result.checked = json.at("checked");
}

IoResult result_of(const Json& json) {
  IoResult result;
  result.name = json.at("name");
  result.test = json.at("test");
  result.group = json.at("group");
  result.unit = json.at("unit");
  result.what = json.at("what");
  result.processes = json.at("processes");
  result.block_bytes = json.at("block_bytes");
  result.engine = json.at("engine");
  result.cache = json.at("cache");
  result.vector = text_of(json, "vector");
  result.type = text_of(json, "type");
  result.sync = text_of(json, "sync");
  read_figures(json, result);
  result.ceiling = text_of(json, "ceiling");
  result.ceiling_mb_s = optional_of<double>(json, "ceiling_mb_per_s").value_or(0);
  result.above_ceiling = json.at("above_ceiling");
  result.published = text_of(json, "published");
  result.error = optional_of<std::string>(json, "error");
  return result;
}

IoRun run_of(const Json& json) {
  const Json& context = json.at("context");
  IoRun run;
  run.host.host_name = context.at("host_name");
  run.host.cpu_model = context.at("machine_model");
  run.host.cpus = context.at("num_cpus");
  run.host.memory_bytes = context.at("memory_bytes");
  run.host.kernel = context.at("kernel");
  const Json& vectors = context.at("vectors");
  run.vectors = {vectors.at("tiny"),  vectors.at("small"), vectors.at("medium"),
                 vectors.at("large"), vectors.at("huge"),  vectors.at("scale")};
  for (const Json& target : context.at("targets")) run.targets.push_back(target_of(target));
  for (const Json& ceiling : context.at("ceilings")) {
    run.ceilings.push_back({ceiling.at("name"), ceiling.at("median_mb_per_s"),
                            ceiling.at("best_mb_per_s"), text_of(ceiling, "reason")});
  }
  run.left_out = context.at("left_out").get<std::vector<std::string>>();
  // Older files have none.
  run.preflight = context.value("preflight", std::vector<std::string>());
  run.elapsed_s = context.at("elapsed_s");
  run.complete = context.at("complete");
  for (const Json& result : json.at("benchmarks")) run.results.push_back(result_of(result));
  return run;
}

// In ms, so that above 1 means slower for all. Empty: no result.
std::vector<double> times_of(const IoResult& result) {
  std::vector<double> times;
  if (!result.is_result()) return times;
  for (const double sample : result.samples) {
    if (sample > 0) times.push_back(result.unit == "ms" ? sample : 1e3 / sample);
  }
  return times;
}

const IoResult* find(const SavedIo& saved, const std::string& name) {
  for (const IoResult& result : saved.run.results) {
    if (result.name == name) return &result;
  }
  return nullptr;
}

Verdict verdict_of(const Ratio& ratio) {
  if (!ratio.interval) return Verdict::kUnknown;
  if (!ratio.is_different()) return Verdict::kSame;
  return ratio.value > 1 ? Verdict::kSlower : Verdict::kFaster;
}

void add_cell(const IoResult& a, const IoResult& b, double threshold_percent, Comparison& all) {
  const std::vector<double> a_ms = times_of(a);
  const std::vector<double> b_ms = times_of(b);
  const auto ratio = median_ratio(b_ms, a_ms);
  if (!ratio) {
    all.no_figure.push_back(fmt::format("{}: no result in {}", a.name, a_ms.empty() ? "A" : "B"));
    return;
  }
  ComparedCell cell;
  cell.name = a.name;
  cell.a_ms = median(a_ms);
  cell.b_ms = median(b_ms);
  cell.ratio = *ratio;
  cell.verdict = verdict_of(*ratio);
  cell.regression = ratio->interval && ratio->interval->low > 1 + threshold_percent / 100;
  all.regressions += cell.regression ? 1 : 0;
  all.cells.push_back(std::move(cell));
}

}  // namespace

bool is_io_results(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && says_io(parse_file(file));
}

Result<SavedIo> read_io_results(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return usage_error(file.string() + ": there is no such file");
  }
  const Json json = parse_file(file);
  if (!says_io(json)) {
    return data_error(file.string() + ": no results of `hdbench io --out`");
  }
  try {
    const Json& context = json["context"];
    return SavedIo{file.string(), context.at("date"), context.at("commit"),
                   fmt::format("{}, {} CPUs", context.at("machine_model").get<std::string>(),
                               context.at("num_cpus").get<std::size_t>()),
                   run_of(json)};
  } catch (const std::exception& bad) {
    return data_error(fmt::format("{}: {}", file.string(), bad.what()));
  }
}

Comparison compare_io(const SavedIo& a, const SavedIo& b, double threshold_percent) {
  Comparison all;
  const auto note = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b) all.notes.push_back(fmt::format("{}: A {}, B {}", what, of_a, of_b));
  };
  note("machine", a.machine, b.machine);
  note("commit", a.commit, b.commit);
  note("place", a.run.targets.front().place, b.run.targets.front().place);
  note("huge vector", std::to_string(a.run.vectors.huge), std::to_string(b.run.vectors.huge));
  for (const IoResult& result : a.run.results) {
    const IoResult* other = find(b, result.name);
    if (other == nullptr) {
      all.only_a.push_back(result.name);
    } else {
      add_cell(result, *other, threshold_percent, all);
    }
  }
  for (const IoResult& result : b.run.results) {
    if (find(a, result.name) == nullptr) all.only_b.push_back(result.name);
  }
  std::vector<double> ratios;
  for (const ComparedCell& cell : all.cells) ratios.push_back(cell.ratio.value);
  if (!ratios.empty()) {
    all.geometric_mean = geometric_mean(ratios);
    all.maximum = summarise(ratios).max;
  }
  return all;
}

}  // namespace hdbench

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/storage/io_json.h"

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
  // Older files have none.
  const auto mean = json.contains("mean") ? optional_of<double>(json, "mean") : std::nullopt;
  return {optional_of<double>(json, "p50"),    optional_of<double>(json, "p90"),
          optional_of<double>(json, "p99"),    optional_of<double>(json, "p99.9"),
          json.at("max").get<std::uint64_t>(), mean};
}

void read_figures(const Json& json, IoResult& result) {
  result.samples = json.at("samples").get<std::vector<double>>();
  if (!result.samples.empty()) result.median = median(result.samples);
  result.interval = median_interval({result.samples});
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
  run.options.reps = context.value("repetitions", run.options.reps);
  run.left_out = context.at("left_out").get<std::vector<std::string>>();
  // Older files have none.
  run.preflight = context.value("preflight", std::vector<std::string>());
  run.elapsed_s = context.at("elapsed_s");
  run.complete = context.at("complete");
  for (const Json& result : json.at("benchmarks")) run.results.push_back(result_of(result));
  return run;
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

}  // namespace hdbench

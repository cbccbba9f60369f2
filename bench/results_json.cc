#include "bench/results_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "bench/statistics.h"

namespace hdbench {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json context_json(const RunContext& context) {
  Json caches = Json::array();
  for (const CpuCache& cache : context.host.caches) {
    caches.push_back({{"type", cache.type},
                      {"level", cache.level},
                      {"size", cache.bytes},
                      {"num_sharing", cache.sharing}});
  }
  Json tables = Json::object();
  for (const auto& [name, rows] : context.table_rows) tables[name] = rows;
  Json json;
  json["date"] = context.date;
  json["host_name"] = context.host.host_name;
  json["executable"] = context.executable;
  json["num_cpus"] = context.host.cpus;
  if (context.host.mhz) json["mhz_per_cpu"] = static_cast<std::int64_t>(*context.host.mhz);
  json["caches"] = std::move(caches);
  json["library_build_type"] = context.build_type;
  json["machine_model"] = context.host.cpu_model;
  json["memory_bytes"] = context.host.memory_bytes;
  json["kernel"] = context.host.kernel;
  json["hdbench_version"] = context.version;
  json["commit"] = context.commit;
  json["database"] = context.database;
  json["partitions"] = context.partitions;
  json["table_rows"] = std::move(tables);
  json["query_file"] = context.query_file;
  json["result_medium"] = context.result_medium;
  json["codes_saved"] = context.codes_saved;
  json["left_out"] = context.left_out;
  // False: an error or Ctrl-C ended the run before its last cell.
  json["complete"] = context.complete;
  return json;
}

void add_times(Json& json, const CellResult& cell) {
  const bool has_times = cell.rows_out && !cell.real_ms.empty();
  json["run_type"] = "iteration";
  json["repetitions"] = cell.real_ms.size();
  json["repetition_index"] = 0;
  json["iterations"] = 1;
  json["real_time"] = has_times ? Json(median(cell.real_ms)) : Json();
  json["cpu_time"] = has_times ? Json(median(cell.cpu_ms)) : Json();
  json["time_unit"] = "ms";
  json["times_ms"] = cell.real_ms;
  if (!has_times) {
    json["spread"] = nullptr;
    return;
  }
  const Summary summary = summarise(cell.real_ms);
  json["spread"] = {{"median", summary.median},
                    {"min", summary.min},
                    {"max", summary.max},
                    {"relative", summary.relative_spread}};
}

Json gigabytes_per_second(const CellResult& cell) {
  const std::optional<double> ms = median_ms(cell);
  if (!ms || *ms <= 0) return {};
  return static_cast<double>(cell.bytes_read + cell.bytes_written) / (*ms * 1e6);
}

Json cell_json(const CellResult& cell) {
  const Setting& setting = cell.setting;
  Json by_column = Json::object();
  for (const auto& [name, bytes] : cell.bytes_read_by_column) by_column[name] = bytes;
  Json json;
  json["name"] = cell.name();
  json["run_name"] = cell.name();
  add_times(json, cell);
  json["engine"] = "hdbench";
  json["query"] = cell.query;
  json["query_text"] = cell.text;
  json["medium"] = setting.medium;
  json["medium_label"] = cell.medium_label;
  json["profile"] = nullptr;
  json["emulated"] = cell.emulated;
  json["emulation_mode"] = nullptr;
  json["layout"] = word(setting.layout);
  json["attr"] = word(setting.attr);
  json["mode"] = word(setting.mode);
  json["threads"] = setting.threads;
  json["cache"] = word(setting.cache);
  json["limit_mib"] = setting.limit_mib;
  json["codes"] = word(setting.codes);
  json["rows_in"] = cell.rows_in;
  json["rows_out"] = or_null(cell.rows_out);
  json["bytes_read"] = cell.bytes_read;
  json["bytes_read_by_column"] = std::move(by_column);
  json["bytes_written"] = cell.bytes_written;
  json["gb_per_s"] = gigabytes_per_second(cell);
  json["ceiling_percent"] = nullptr;
  json["used_workspace_bytes"] = cell.used_bytes;
  json["peak_workspace_bytes"] = cell.peak_workspace_bytes;
  json["spilled_bytes"] = cell.spilled_bytes;
  json["resident_before"] = cell.resident_before();
  json["resident_of_bytes"] = cell.held_bytes;
  json["major_faults"] = cell.major_faults;
  json["device_bytes"] = or_null(cell.device_bytes);
  json["checksum"] = cell.checksum ? Json(fmt::format("{:016x}", *cell.checksum)) : Json();
  json["error"] = or_null(cell.error);
  if (cell.error) {  // Google Benchmark's names for it
    json["error_occurred"] = true;
    json["error_message"] = *cell.error;
  }
  return json;
}

}  // namespace

std::string results_json(const RunContext& context, const std::vector<CellResult>& cells) {
  Json json;
  json["context"] = context_json(context);
  json["benchmarks"] = Json::array();
  for (const CellResult& cell : cells) json["benchmarks"].push_back(cell_json(cell));
  constexpr int kIndent = 1;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench

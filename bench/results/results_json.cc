#include "bench/results/results_json.h"

#include <fmt/format.h>

#include <optional>

#include "bench/base/bootstrap.h"
#include "bench/base/json_value.h"
#include "bench/base/statistics.h"
#include "bench/results/proof_json.h"
#include "pmem/emulator/emulation_options.h"

namespace hdbench {
namespace {

Json figure_json(const CeilingFigure& figure) {
  return {{"median", figure.median}, {"best", figure.best}};
}

// Of each round, in their order.
Json rounds_json(const std::vector<MemoryRound>& rounds) {
  Json json = Json::object();
  for (const auto& [name, figure] : kMemoryRoundFigures) {
    Json figures = Json::array();
    for (const MemoryRound& round : rounds) figures.push_back(round.*figure);
    json[name] = std::move(figures);
  }
  return json;
}

Json memory_json(const MemoryCeilings& memory) {
  Json by_threads = Json::array();
  for (const ThreadCeilings& one : memory.by_threads) {
    by_threads.push_back({{"threads", one.threads},
                          {"rounds", one.rounds},
                          {"read_gb_per_s", figure_json(one.read_gb_s)},
                          {"write_gb_per_s", figure_json(one.write_gb_s)},
                          {"write_non_temporal_gb_per_s", figure_json(one.stream_gb_s)},
                          // Bytes read and bytes written.
                          {"copy_non_temporal_gb_per_s", figure_json(one.copy_gb_s)},
                          {"gather_gb_per_s", figure_json(one.gather_gb_s)},
                          {"gather_ns_per_line", figure_json(one.gather_ns)},
                          {"chase_ns_per_line", figure_json(one.chase_ns)},
                          {"each_round", rounds_json(one.each)}});
  }
  Json json;
  json["buffers"] = 2;
  json["buffer_bytes"] = memory.buffer_bytes;
  json["last_level_cache_bytes"] = memory.cache_bytes;
  json["huge_page_bytes"] = or_null(memory.huge_bytes);
  json["by_threads"] = std::move(by_threads);
  json["reason"] = memory.reason.empty() ? Json() : Json(memory.reason);
  return json;
}

// What cells are held against.
Json read_json(const DeviceRead& read) {
  if (read.gb_s.empty()) return {};
  return {{"block_bytes", read.block_bytes},
          {"in_flight", read.in_flight},
          {"bytes", read.bytes},
          {"gb_per_s", figure_json(read.figure())},
          {"rounds_gb_per_s", read.gb_s}};
}

Json placements_json(const std::vector<PlacementCeilings>& placements) {
  Json list = Json::array();
  for (const PlacementCeilings& one : placements) {
    Json json = {{"medium", one.medium},   {"layout", word(one.layout)}, {"codes", word(one.codes)},
                 {"dataset", one.dataset}, {"finished", one.finished},   {"visits", one.visits},
                 {"matrix", one.matrix}};
    json.update(memory_json(one.memory));
    json["device_sequential"] = read_json(one.device_sequential);  // null: no cold cells
    list.push_back(std::move(json));
  }
  return list;
}

Json device_json(const DeviceCeilings& device) {
  if (!device.known() && device.reason.empty()) return {};  // no cold cell asked for it
  Json json;
  json["device"] = device.device;
  json["sequential"] = read_json(device.sequential);
  json["sequential_summed"] = read_json(device.summed);
  json["random"] = read_json(device.random);
  json["reason"] = device.reason.empty() ? Json() : Json(device.reason);
  return json;
}

Json peers_json(const std::optional<PeerMemory>& memory) {
  if (!memory) return {};
  Json workers = Json::array();
  for (const PeerWorkerMemory& worker : memory->workers) {
    workers.push_back({{"engine", worker.engine},
                       {"threads", worker.threads},
                       {"expected_bytes", worker_bytes(worker.engine, memory->table_bytes)},
                       {"loaded_bytes", worker.loaded_bytes},
                       {"held_max_bytes", worker.held_max_bytes},
                       {"mapped_max_bytes", worker.mapped_max_bytes}});
  }
  Json json;
  json["in_memory"] = word(memory->plan.scheme);
  json["table_bytes"] = memory->table_bytes;
  json["needed_together_bytes"] = memory->plan.together_bytes;
  json["needed_one_after_another_bytes"] = memory->plan.alone_bytes;
  json["workers"] = std::move(workers);
  return json;
}

Json tables_json(const DatasetContext& dataset) {
  Json tables = Json::object();
  for (const auto& [name, rows] : dataset.table_rows) tables[name] = rows;
  return tables;
}

Json datasets_json(const std::vector<DatasetContext>& datasets) {
  Json list = Json::array();
  for (const DatasetContext& dataset : datasets) {
    list.push_back({{"name", dataset.name},
                    {"database", dataset.database},
                    {"partitions", dataset.partitions},
                    {"table_rows", tables_json(dataset)}});
  }
  return list;
}

Json preflight_json(const std::vector<PreflightNote>& notes) {
  Json list = Json::array();
  for (const PreflightNote& note : notes) {
    list.push_back({{"name", note.name}, {"text", note.text}});
  }
  return list;
}

Json context_json(const RunContext& context) {
  Json caches = Json::array();
  for (const CpuCache& cache : context.host.caches) {
    caches.push_back({{"type", cache.type},
                      {"level", cache.level},
                      {"size", cache.bytes},
                      {"num_sharing", cache.sharing}});
  }
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
  json["memory_available_bytes"] = or_null(context.available_before_bytes);
  json["memory_available_lowest_bytes"] = or_null(context.available_lowest_bytes);
  json["kernel"] = context.host.kernel;
  json["hdbench_version"] = context.version;
  json["commit"] = context.commit;
  // The first one's; `datasets` has them all.
  json["database"] = context.datasets.front().database;
  json["partitions"] = context.datasets.front().partitions;
  json["table_rows"] = tables_json(context.datasets.front());
  json["datasets"] = datasets_json(context.datasets);
  json["query_file"] = context.query_file;
  json["command"] = context.command;
  json["experiment"] = context.experiment.empty() ? Json() : Json(context.experiment);
  json["repetitions"] = context.repetitions;
  json["repetitions_most"] = or_null(context.repetitions_most);
  json["precision"] = or_null(context.precision);
  json["visits"] = context.visits;
  json["interval"] = {
      {"of", "the median"},
      {"method", context.visits > 1 ? "percentile bootstrap, of visits and then of repetitions"
                                    : "percentile bootstrap"},
      {"level", kIntervalLevel},
      {"resamples", kResamples}};
  json["preflight"] = preflight_json(context.preflight);
  json["elapsed_s"] = or_null(context.elapsed_s);
  json["budget_s"] = or_null(context.budget_s);
  json["sittings"] = context.sittings;
  json["order_seed"] = context.order_seed;
  json["result_medium"] = context.result_medium;
  json["cpu_tuning"] = context.cpu_tuning;
  json["profiles"] = Json::object();
  for (const auto& [name, digest] : context.profiles) json["profiles"][name] = digest;
  json["codes_saved"] = context.codes_saved;
  json["left_out"] = context.left_out;
  json["host_floors"] = context.host_floors;
  json["ceilings"] = memory_json(context.ceilings.memory);
  json["placement_ceilings"] = placements_json(context.ceilings.placements);
  json["device_ceilings"] = device_json(context.ceilings.device);
  // Null where scratch files lie on the same device, or no cold cell reads them.
  const auto& scratch_device = context.ceilings.scratch_device;
  json["scratch_device_ceilings"] = scratch_device ? device_json(*scratch_device) : Json();
  json["peers"] = peers_json(context.peer_memory);
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
  json["cpu_times_ms"] = cell.cpu_ms;
  json["visits"] = cell.visits;  // how many of the times each gave; empty: one visit
  if (!has_times) {
    json["spread"] = nullptr;
    json["interval_ms"] = nullptr;
    return;
  }
  const Summary summary = summarise(cell.real_ms);
  json["spread"] = {{"median", summary.median},
                    {"min", summary.min},
                    {"max", summary.max},
                    {"relative", summary.relative_spread}};
  const auto interval = median_interval(cell.times());
  json["interval_ms"] = interval ? Json{interval->low, interval->high} : Json();
}

Json gigabytes_per_second(const CellResult& cell) {
  const std::optional<double> ms = median_ms(cell);
  if (!ms || *ms <= 0) return {};
  return static_cast<double>(cell.bytes_read + cell.bytes_written) / (*ms * 1e6);
}

void add_ceiling(Json& json, const CellResult& cell, const RunCeilings& ceilings) {
  const Result<CellCeiling> ceiling = cell_ceiling(cell, ceilings);
  const bool known = ceiling.ok();
  json["gb_per_s"] = gigabytes_per_second(cell);
  json["ceiling"] = known ? Json(word(ceiling->kind)) : Json();
  json["ceiling_percent"] = known ? Json(ceiling->percent) : Json();
  json["floor_ms"] = known ? Json(ceiling->floor_ms) : Json();
  json["above_ceiling"] = known ? Json(ceiling->above()) : Json();
  json["ceiling_reason"] = known ? Json() : Json(ceiling.error().message);
}

// What is not measured of another engine, or means nothing there, is null.
void add_peer(Json& json, const PeerLabel& peer) {
  for (const char* field :
       {"mode", "prefetch", "bytes_read", "bytes_read_by_column", "bytes_written", "gb_per_s",
        "used_workspace_bytes", "peak_workspace_bytes", "spilled_bytes", "resident_before",
        "resident_of_bytes", "major_faults", "ceiling", "ceiling_percent", "above_ceiling",
        "ceiling_reason"}) {
    json[field] = nullptr;
  }
  json["engine"] = peer.engine;
  json["codes"] = peer.codes;
  json["engine_version"] = peer.version;
  json["loaded"] = peer.loaded;
  json["form"] = peer.form;
  json["floor_ms"] = or_null(peer.floor_ms);  // the same query over a table of one row
  json["unread"] = or_null(peer.unread);      // from what it answers without reading the columns
}

// What the account of an emulated device says; null for a real one.
Json emulation_json(const CellResult& cell) {
  if (cell.emulations.empty()) return {};
  Json list = Json::array();
  for (const EmulationResult& emulation : cell.emulations) {
    Json devices = Json::array();
    for (const DeviceCharges& charges : emulation.devices) {
      Json device{{"device", charges.device},
                  {"touched_read_bytes", charges.read_bytes},
                  {"touched_written_bytes", charges.written_bytes},
                  {"media_read_bytes", charges.media.read},
                  {"media_written_bytes", charges.media.written}};
      if (charges.near_cache) {
        device["near_lines"] = charges.near_cache->lines;
        device["near_hits"] = charges.near_cache->hits;
      }
      devices.push_back(std::move(device));
    }
    list.push_back({{"elapsed_ns", emulation.elapsed_ns},
                    {"waited_ns", emulation.waited_ns},
                    {"bandwidth_ns", emulation.bandwidth_ns},
                    {"latency_ns", emulation.latency_ns},
                    {"serial_ns", emulation.serial_ns},
                    {"modelled_ns", emulation.modelled_ns},
                    {"devices", std::move(devices)}});
  }
  return list;
}

// Where the bytes were found to lie; null where nobody looked.
Json proof_json(const std::optional<PlacementProof>& proof) {
  return proof ? to_json(*proof) : Json();
}

Json cell_json(const CellResult& cell, const RunCeilings& ceilings) {
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
  json["medium"] =
      cell.profile ? setting.medium.substr(0, setting.medium.find(':')) : setting.medium;
  json["medium_word"] = setting.medium;
  json["medium_label"] = cell.medium_label;
  json["place"] = setting.place.empty() ? Json() : Json(setting.place);
  json["volume"] = setting.volume.empty() ? Json() : Json(setting.volume);
  json["results"] = setting.results.empty() ? Json() : Json(setting.results);
  json["profile"] = or_null(cell.profile);
  json["place_profiles"] = cell.place_profiles;
  json["result_profile"] = or_null(cell.result_profile);
  json["emulated"] = cell.emulated;
  json["emulation_mode"] = cell.emulation_mode ? Json(word(*cell.emulation_mode)) : Json();
  json["emulation"] = emulation_json(cell);
  json["placement_proof"] = proof_json(cell.placement_proof);
  json["result_placement_proof"] = proof_json(cell.result_proof);
  json["layout"] = word(setting.layout);
  json["attr"] = word(setting.attr);
  json["mode"] = word(setting.mode);
  json["threads"] = setting.threads;
  json["cache"] = word(setting.cache);
  json["limit_mib"] = setting.limit_mib;
  json["codes"] = word(setting.codes);
  json["prefetch"] = word(setting.prefetch);
  json["dataset"] = setting.dataset;
  json["rows_in"] = cell.rows_in;
  json["rows_out"] = or_null(cell.rows_out);
  json["bytes_read"] = cell.bytes_read;
  json["bytes_read_by_column"] = std::move(by_column);
  json["bytes_written"] = cell.bytes_written;
  add_ceiling(json, cell, ceilings);
  json["used_workspace_bytes"] = cell.used_bytes;
  json["peak_workspace_bytes"] = cell.peak_workspace_bytes;
  json["spilled_bytes"] = cell.spilled_bytes;
  json["resident_before"] = cell.resident_before();
  json["resident_of_bytes"] = cell.held_bytes;
  json["resident_least_bytes"] = cell.resident_min_bytes;
  json["resident_most_bytes"] = cell.resident_max_bytes;
  json["major_faults"] = cell.major_faults;
  json["device_bytes"] = or_null(cell.device_bytes);
  json["checksum"] = cell.checksum ? Json(fmt::format("{:016x}", *cell.checksum)) : Json();
  json["error"] = or_null(cell.error);
  json["error_visit"] = cell.error ? Json(cell.error_visit) : Json();
  if (cell.error) {  // Google Benchmark's names for it
    json["error_occurred"] = true;
    json["error_message"] = *cell.error;
  }
  if (cell.peer) add_peer(json, *cell.peer);
  return json;
}

}  // namespace

std::string results_json(const RunContext& context, const std::vector<CellResult>& cells) {
  Json json;
  json["context"] = context_json(context);
  json["benchmarks"] = Json::array();
  for (const CellResult& cell : cells)
    json["benchmarks"].push_back(cell_json(cell, context.ceilings));
  constexpr int kIndent = 1;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench

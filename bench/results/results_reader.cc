#include "bench/results/results_reader.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "bench/results/proof_json.h"

namespace hdbench {
namespace {

using Json = nlohmann::ordered_json;

// Thrown within this file only: parse_results() makes an Error of it.
struct BadField : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const Json& field(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) throw BadField(fmt::format("'{}' is missing", name));
  return *found;
}

template <typename T>
T get(const Json& json, const char* name) {
  const Json& value = field(json, name);
  try {
    return value.get<T>();
  } catch (const Json::exception&) {
    throw BadField(fmt::format("'{}' is {}, which is no value of it", name, value.dump()));
  }
}

template <typename T>
std::optional<T> get_optional(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return get<T>(json, name);
}

template <typename T>
T get_or(const Json& json, const char* name, T otherwise) {
  return get_optional<T>(json, name).value_or(std::move(otherwise));
}

template <typename T>
T checked(Result<T> result) {
  if (!result.ok()) throw BadField(result.error().message);
  return std::move(*result);
}

template <typename T>
T first_of(Result<std::vector<T>> list) {
  return checked(std::move(list)).front();
}

CeilingFigure figure_of(const Json& json, const char* name) {
  const Json& figure = field(json, name);
  return {get<double>(figure, "median"), get<double>(figure, "best")};
}

// Older files have none.
std::vector<MemoryRound> rounds_of(const Json& json) {
  std::vector<MemoryRound> rounds;
  if (!json.contains("each_round")) return rounds;
  for (const auto& [name, figure] : kMemoryRoundFigures) {
    const auto values = get<std::vector<double>>(json["each_round"], name);
    if (rounds.empty()) rounds.resize(values.size());
    if (values.size() != rounds.size()) {
      throw BadField(fmt::format("'each_round': '{}' has {} rounds, expected {}", name,
                                 values.size(), rounds.size()));
    }
    for (std::size_t i = 0; i < values.size(); ++i) rounds[i].*figure = values[i];
  }
  return rounds;
}

MemoryCeilings memory_of(const Json& json) {
  MemoryCeilings memory;
  memory.buffer_bytes = get<std::size_t>(json, "buffer_bytes");
  memory.cache_bytes = get<std::uint64_t>(json, "last_level_cache_bytes");
  memory.huge_bytes = get_optional<std::uint64_t>(json, "huge_page_bytes");
  memory.reason = get_or<std::string>(json, "reason", "");
  for (const Json& one : field(json, "by_threads")) {
    memory.by_threads.push_back(
        {get<std::size_t>(one, "threads"), get<std::size_t>(one, "rounds"), rounds_of(one),
         figure_of(one, "read_gb_per_s"), figure_of(one, "write_gb_per_s"),
         figure_of(one, "write_non_temporal_gb_per_s"),
         figure_of(one, "copy_non_temporal_gb_per_s"), figure_of(one, "gather_gb_per_s"),
         figure_of(one, "gather_ns_per_line"), figure_of(one, "chase_ns_per_line")});
  }
  return memory;
}

DeviceRead read_of(const Json& json, DeviceRead otherwise) {
  if (json.is_null()) return otherwise;
  return {get<std::size_t>(json, "block_bytes"), get<std::size_t>(json, "in_flight"),
          get<std::uint64_t>(json, "bytes"), get<std::vector<double>>(json, "rounds_gb_per_s")};
}

DeviceCeilings device_of(const Json& json) {
  DeviceCeilings device;
  if (json.is_null()) return device;
  device.device = get<std::string>(json, "device");
  device.sequential = read_of(field(json, "sequential"), device.sequential);
  device.summed = read_of(get_or<Json>(json, "sequential_summed", {}), device.summed);
  device.random = read_of(field(json, "random"), device.random);
  device.reason = get_or<std::string>(json, "reason", "");
  return device;
}

RunCeilings ceilings_of(const Json& json) {
  RunCeilings ceilings;
  ceilings.memory = memory_of(field(json, "ceilings"));
  for (const Json& one : field(json, "placement_ceilings")) {
    ceilings.placements.push_back(
        {get<std::string>(one, "medium"), first_of(parse_layouts(get<std::string>(one, "layout"))),
         first_of(parse_codes(get<std::string>(one, "codes"))), memory_of(one),
         get<std::string>(one, "dataset"), get<bool>(one, "finished")});
    const std::size_t of_older = ceilings.placements.back().finished ? 1 : 0;
    ceilings.placements.back().visits = get_or<std::size_t>(one, "visits", of_older);
    ceilings.placements.back().matrix = get_or<std::size_t>(one, "matrix", 0);
    DeviceRead& looks = ceilings.placements.back().device_sequential;
    if (one.contains("device_sequential")) looks = read_of(one["device_sequential"], looks);
  }
  ceilings.device = device_of(field(json, "device_ceilings"));
  const Json& scratch = field(json, "scratch_device_ceilings");
  if (!scratch.is_null()) ceilings.scratch_device = device_of(scratch);
  return ceilings;
}

std::optional<PeerMemory> peers_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  PeerMemory memory;
  const auto scheme = get<std::string>(json, "in_memory");
  memory.plan.scheme =
      scheme == word(PeerScheme::kTogether) ? PeerScheme::kTogether : PeerScheme::kOneAfterAnother;
  memory.table_bytes = get<std::uint64_t>(json, "table_bytes");
  memory.plan.together_bytes = get<std::uint64_t>(json, "needed_together_bytes");
  memory.plan.alone_bytes = get<std::uint64_t>(json, "needed_one_after_another_bytes");
  for (const Json& worker : field(json, "workers")) {
    memory.workers.push_back(
        {get<std::string>(worker, "engine"), get<std::size_t>(worker, "threads"),
         get<std::uint64_t>(worker, "loaded_bytes"), get<std::uint64_t>(worker, "held_max_bytes"),
         get<std::uint64_t>(worker, "mapped_max_bytes")});
  }
  return memory;
}

Host host_of(const Json& json) {
  Host host;
  host.host_name = get<std::string>(json, "host_name");
  host.cpu_model = get<std::string>(json, "machine_model");
  host.cpus = get<std::size_t>(json, "num_cpus");
  host.mhz = get_optional<double>(json, "mhz_per_cpu");
  for (const Json& cache : field(json, "caches")) {
    CpuCache one;
    one.type = get<std::string>(cache, "type");
    one.level = get<int>(cache, "level");
    one.bytes = get<std::uint64_t>(cache, "size");
    one.sharing = get<std::size_t>(cache, "num_sharing");
    host.caches.push_back(std::move(one));
  }
  host.memory_bytes = get<std::uint64_t>(json, "memory_bytes");
  host.kernel = get<std::string>(json, "kernel");
  return host;
}

std::vector<std::pair<std::string, std::uint64_t>> pairs_of(const Json& json) {
  std::vector<std::pair<std::string, std::uint64_t>> pairs;
  for (const auto& [name, value] : json.items()) {
    if (!value.is_number_unsigned()) throw BadField(fmt::format("'{}' is {}", name, value.dump()));
    pairs.emplace_back(name, value.get<std::uint64_t>());
  }
  return pairs;
}

std::vector<DatasetContext> datasets_of(const Json& json) {
  std::vector<DatasetContext> datasets;
  for (const Json& one : field(json, "datasets")) {
    datasets.push_back({get<std::string>(one, "name"), get<std::string>(one, "database"),
                        get<std::size_t>(one, "partitions"), pairs_of(field(one, "table_rows"))});
  }
  if (datasets.empty()) throw BadField("'datasets' is empty");
  return datasets;
}

RunContext context_of(const Json& json) {
  RunContext context;
  context.date = get<std::string>(json, "date");
  context.executable = get<std::string>(json, "executable");
  context.host = host_of(json);
  context.version = get<std::string>(json, "hdbench_version");
  context.commit = get<std::string>(json, "commit");
  context.build_type = get<std::string>(json, "library_build_type");
  context.datasets = datasets_of(json);
  context.query_file = get<std::string>(json, "query_file");
  context.repetitions = get<std::size_t>(json, "repetitions");
  context.repetitions_most = get_optional<std::size_t>(json, "repetitions_most");
  context.precision = get_optional<double>(json, "precision");
  context.visits = get_or<std::size_t>(json, "visits", 1);
  context.command = get<std::string>(json, "command");
  context.experiment = get_or<std::string>(json, "experiment", "");
  for (const Json& note : field(json, "preflight")) {
    context.preflight.push_back({get<std::string>(note, "name"), get<std::string>(note, "text")});
  }
  context.elapsed_s = get_optional<double>(json, "elapsed_s");
  context.budget_s = get_optional<double>(json, "budget_s");
  context.sittings = get<std::size_t>(json, "sittings");
  context.order_seed = get<std::uint64_t>(json, "order_seed");
  context.result_medium = get<std::string>(json, "result_medium");
  context.cpu_tuning = get_or<std::string>(json, "cpu_tuning", "");
  if (json.contains("profiles")) {
    for (const auto& [name, digest] : json["profiles"].items()) {
      context.profiles.emplace_back(name, digest.get<std::string>());
    }
  }
  context.codes_saved = get<std::vector<std::string>>(json, "codes_saved");
  context.left_out = get<std::vector<std::string>>(json, "left_out");
  context.host_floors = get<std::vector<std::string>>(json, "host_floors");
  context.ceilings = ceilings_of(json);
  context.peer_memory = peers_of(field(json, "peers"));
  context.available_before_bytes = get_optional<std::uint64_t>(json, "memory_available_bytes");
  context.available_lowest_bytes =
      get_optional<std::uint64_t>(json, "memory_available_lowest_bytes");
  context.complete = get<bool>(json, "complete");
  return context;
}

Setting setting_of(const Json& json, bool is_peer) {
  Setting setting;
  setting.medium = get<std::string>(json, "medium_word");
  setting.layout = first_of(parse_layouts(get<std::string>(json, "layout")));
  setting.attr = first_of(parse_attrs(get<std::string>(json, "attr")));
  setting.threads = get<std::size_t>(json, "threads");
  setting.cache = first_of(parse_caches(get<std::string>(json, "cache")));
  setting.limit_mib = get<std::uint64_t>(json, "limit_mib");
  setting.dataset = get<std::string>(json, "dataset");
  setting.place = get_or<std::string>(json, "place", "");
  setting.volume = get_or<std::string>(json, "volume", "");
  setting.results = get_or<std::string>(json, "results", "");
  const auto mode = get_optional<std::string>(json, "emulation_mode");
  if (mode && *mode != word(EmulationMode::kWall)) setting.emulation = *mode;
  if (is_peer) return setting;  // what an engine has not is null
  setting.mode = first_of(parse_modes(get<std::string>(json, "mode")));
  setting.codes = first_of(parse_codes(get<std::string>(json, "codes")));
  setting.prefetch = first_of(parse_prefetches(get<std::string>(json, "prefetch")));
  return setting;
}

DeviceCharges charges_of(const Json& json) {
  DeviceCharges charges;
  charges.device = get<std::string>(json, "device");
  charges.read_bytes = get<std::uint64_t>(json, "touched_read_bytes");
  charges.written_bytes = get<std::uint64_t>(json, "touched_written_bytes");
  charges.media = {get<std::uint64_t>(json, "media_read_bytes"),
                   get<std::uint64_t>(json, "media_written_bytes")};
  if (const auto lines = get_optional<std::uint64_t>(json, "near_lines")) {
    charges.near_cache.emplace();
    charges.near_cache->lines = *lines;
    charges.near_cache->hits = get<std::uint64_t>(json, "near_hits");
  }
  return charges;
}

std::vector<EmulationResult> emulations_of(const Json& json) {
  std::vector<EmulationResult> list;
  if (json.is_null()) return list;
  for (const Json& one : json) {
    EmulationResult emulation;
    for (const Json& device : field(one, "devices")) {
      emulation.devices.push_back(charges_of(device));
    }
    emulation.elapsed_ns = get<std::int64_t>(one, "elapsed_ns");
    emulation.waited_ns = get<std::int64_t>(one, "waited_ns");
    emulation.bandwidth_ns = get<std::int64_t>(one, "bandwidth_ns");
    emulation.latency_ns = get<std::int64_t>(one, "latency_ns");
    emulation.serial_ns = get<std::int64_t>(one, "serial_ns");
    emulation.modelled_ns = get<std::int64_t>(one, "modelled_ns");
    list.push_back(std::move(emulation));
  }
  return list;
}

std::optional<PlacementProof> proof_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return placement_proof_of(json);
}

PeerLabel peer_of(const Json& json, const std::string& engine) {
  PeerLabel peer;
  peer.engine = engine;
  peer.version = get<std::string>(json, "engine_version");
  peer.codes = get<std::string>(json, "codes");
  peer.loaded = get<std::string>(json, "loaded");
  peer.form = get<std::string>(json, "form");
  peer.floor_ms = get_optional<double>(json, "floor_ms");
  peer.unread = get_optional<std::string>(json, "unread");
  return peer;
}

// What means nothing for another engine is null there.
void read_costs(const Json& json, CellResult& cell) {
  cell.bytes_read = get<std::uint64_t>(json, "bytes_read");
  cell.bytes_written = get<std::uint64_t>(json, "bytes_written");
  cell.bytes_read_by_column = pairs_of(field(json, "bytes_read_by_column"));
  cell.used_bytes = get<std::uint64_t>(json, "used_workspace_bytes");
  cell.peak_workspace_bytes = get<std::uint64_t>(json, "peak_workspace_bytes");
  cell.spilled_bytes = get<std::uint64_t>(json, "spilled_bytes");
  cell.held_bytes = get<std::uint64_t>(json, "resident_of_bytes");
  cell.resident_min_bytes = get<std::uint64_t>(json, "resident_least_bytes");
  cell.resident_max_bytes = get<std::uint64_t>(json, "resident_most_bytes");
  cell.major_faults = get<std::uint64_t>(json, "major_faults");
}

// Older files have none.
std::vector<std::size_t> visits_of(const Json& json, std::size_t repetitions) {
  const auto counts = get_or<std::vector<std::int64_t>>(json, "visits", {});
  const auto most = static_cast<std::int64_t>(repetitions);
  std::int64_t all = 0;
  for (const std::int64_t count : counts) {
    if (count < 0 || count > most) throw BadField(fmt::format("'visits' has one of {}", count));
    all += count;
  }
  if (!counts.empty() && all != most) {
    throw BadField(fmt::format("'visits' adds up to {}, expected the {} of 'times_ms'", all, most));
  }
  return {counts.begin(), counts.end()};
}

CellResult cell_of(const Json& json) {
  CellResult cell;
  const auto engine = get<std::string>(json, "engine");
  const bool is_peer = engine != "hdbench";
  cell.query = get<int>(json, "query");
  cell.text = get<std::string>(json, "query_text");
  cell.setting = setting_of(json, is_peer);
  cell.emulated = get<bool>(json, "emulated");
  cell.medium_label = get<std::string>(json, "medium_label");
  cell.profile = get_optional<std::string>(json, "profile");
  cell.place_profiles = get_or<std::vector<std::string>>(json, "place_profiles", {});
  cell.result_profile = get_optional<std::string>(json, "result_profile");
  if (const auto mode = get_optional<std::string>(json, "emulation_mode")) {
    cell.emulation_mode = checked(parse_emulation_mode(*mode));
  }
  cell.emulations = emulations_of(field(json, "emulation"));
  cell.placement_proof = proof_of(field(json, "placement_proof"));
  cell.result_proof = proof_of(field(json, "result_placement_proof"));
  cell.real_ms = get<std::vector<double>>(json, "times_ms");
  cell.cpu_ms = get<std::vector<double>>(json, "cpu_times_ms");
  cell.visits = visits_of(json, cell.real_ms.size());
  cell.rows_in = get<std::uint64_t>(json, "rows_in");
  cell.rows_out = get_optional<std::uint64_t>(json, "rows_out");
  if (is_peer) {
    cell.peer = peer_of(json, engine);
  } else {
    read_costs(json, cell);
  }
  cell.device_bytes = get_optional<std::uint64_t>(json, "device_bytes");
  if (const auto checksum = get_optional<std::string>(json, "checksum")) {
    cell.checksum = std::stoull(*checksum, nullptr, 16);
  }
  cell.error = get_optional<std::string>(json, "error");
  cell.error_visit = get_or<std::size_t>(json, "error_visit", 0);
  return cell;
}

// "benchmarks[12] (Q07/medium:dram/...)".
std::string place_of(const Json& json, std::size_t index) {
  const auto name = json.is_object() ? json.find("name") : json.end();
  const std::string of =
      name != json.end() && name->is_string() ? " (" + name->get<std::string>() + ")" : "";
  return fmt::format("benchmarks[{}]{}", index, of);
}

// Files of before cells said where their results lie say it once, for all of them.
std::string results_of_all(const RunContext& context) {
  return context.result_medium.starts_with("dram (") ? "" : context.result_medium;
}

std::vector<CellResult> cells_of(const Json& json, const RunContext& context) {
  std::vector<CellResult> cells;
  for (const Json& one : json) {
    try {
      cells.push_back(cell_of(one));
      if (!one.contains("results")) cells.back().setting.results = results_of_all(context);
    } catch (const std::exception& bad) {
      throw BadField(place_of(one, cells.size()) + ": " + bad.what());
    }
  }
  return cells;
}

}  // namespace

Result<SavedRun> parse_results(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    return data_error(file + ": not JSON: expected what `hdbench run --out` writes");
  }
  if (!json.is_object() || !json.contains("context") || !json.contains("benchmarks") ||
      !json["context"].contains("hdbench_version")) {
    return data_error(file + ": no results of hdbench: expected what `hdbench run --out` writes");
  }
  if (json["context"].value("tool", "") == "io") {
    return data_error(file + ": results of `hdbench io`, expected those of `hdbench run --out`");
  }
  try {
    RunContext context = context_of(json["context"]);
    std::vector<CellResult> cells = cells_of(json["benchmarks"], context);
    return SavedRun{file, std::move(context), std::move(cells)};
  } catch (const std::exception& bad) {
    return data_error(fmt::format("{}: {}", file, bad.what()));
  }
}

Result<SavedRun> read_results(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return usage_error(file.string() + ": there is no such file");
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || std::filesystem::is_directory(file, error)) {
    return data_error(file.string() + ": cannot be read as a file");
  }
  return parse_results(text.str(), file.string());
}

}  // namespace hdbench

#include "bench/results/results_json.h"

#include <fmt/format.h>

#include <new>
#include <numeric>
#include <optional>

#include "bench/base/bootstrap.h"
#include "bench/base/json_fields.h"
#include "bench/base/statistics.h"
#include "bench/base/version.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "pmem/emulator/emulated_meter.h"

// Where the reader of fields looks for it: beside its type.
namespace hdbench::pmem {

static Result<EmulationMode> parse_word(std::string_view, std::string_view text, EmulationMode) {
  return parse_emulation_mode(text);
}

}  // namespace hdbench::pmem

// Each struct's fields, named once for both ways (json_fields.h). docs/results-json.md says what
// they mean.
namespace hdbench::bench {

void fields(JsonFields& a, CeilingFigure& figure) { HDB_FIELDS(figure, median, high, best); }

// Each figure is a list, of all rounds in their order.
struct RoundLists {
  std::vector<MemoryRound>& rounds;
};

void fields(JsonFields& a, RoundLists& lists) {
  std::vector<MemoryRound>& rounds = lists.rounds;
  for (const auto& [name, figure] : kMemoryRoundFigures) {
    std::vector<double> values;
    for (const MemoryRound& round : rounds) values.push_back(round.*figure);
    a(name, values);
    if (a.reads()) {
      if (rounds.empty()) rounds.resize(values.size());
      if (values.size() != rounds.size()) {
        throw BadField(fmt::format("'each_round': '{}' has {} rounds, expected {}", name,
                                   values.size(), rounds.size()));
      }
      for (std::size_t i = 0; i < values.size(); ++i) rounds[i].*figure = values[i];
    }
  }
}

void fields(JsonFields& a, ThreadCeilings& one) {
  a("threads", one.threads);
  a("rounds", one.rounds);
  a("read_gb_per_s", one.read_gb_s);
  a("write_gb_per_s", one.write_gb_s);
  a("write_non_temporal_gb_per_s", one.stream_gb_s);
  a("copy_non_temporal_gb_per_s", one.copy_gb_s);  // bytes read and bytes written
  a("gather_gb_per_s", one.gather_gb_s);
  a("gather_ns_per_line", one.gather_ns);
  a("chase_ns_per_line", one.chase_ns);
  a("slowest_thread_share", one.slowest_share);
  RoundLists each{one.each};
  a("each_round", each);
}

void fields(JsonFields& a, MemoryCeilings& memory) {
  a.derived("buffers", 2);
  a("buffer_bytes", memory.buffer_bytes);
  a("last_level_cache_bytes", memory.cache_bytes);
  a("huge_page_bytes", memory.huge_bytes);
  a("by_threads", memory.by_threads);
  a.or_null("reason", memory.reason);
}

void fields(JsonFields& a, DeviceRead& read) {
  HDB_FIELDS(read, block_bytes, in_flight, bytes);
  const CeilingFigure figure = read.figure();  // what cells are held against
  a.derived("gb_per_s", {{"median", figure.median}, {"high", figure.high}, {"best", figure.best}});
  a("rounds_gb_per_s", read.gb_s);
}

void fields(JsonFields& a, DeviceCeilings& device) {
  a("device", device.device);
  a.or_null("sequential", device.sequential);
  a.or_null("sequential_summed", device.summed);
  a.or_null("random", device.random);
  a.or_null("reason", device.reason);
}

void fields(JsonFields& a, UnpackRate& rate) {
  HDB_FIELDS(rate, threads, sample_bytes);
  a("gb_per_s", rate.gb_s);
}

void fields(JsonFields& a, PlacementCeilings& one) {
  HDB_FIELDS(one, medium, layout, codes, dataset, finished, visits, matrix);
  a.unless_first("compressed", one.compressed);
  a.if_any("unpacking", one.unpacking);
  fields(a, one.memory);
  a.or_null("device_sequential", one.device_sequential);  // null: no cold cells
}

void fields(JsonFields& a, PeerWorkerMemory& worker) {
  HDB_FIELDS(worker, engine, threads, expected_bytes, loaded_bytes, held_max_bytes,
             mapped_max_bytes);
}

void fields(JsonFields& a, PeerMemory& memory) {
  HDB_FIELDS(memory, table_bytes, needed_bytes, workers);
}

void fields(JsonFields& a, ColumnNeed& need) {
  HDB_FIELDS(need, table, column, bytes, needed_bytes);
}

void fields(JsonFields& a, DatasetContext& dataset) {
  HDB_FIELDS(dataset, name, database, partitions, table_rows);
  a.if_any("columns", dataset.columns);
  a.if_any("compression", dataset.compression);
  if (!dataset.compression.empty()) a("stored_share", dataset.stored_share);
}

void fields(JsonFields& a, PreflightNote& note) {
  a("name", note.name);
  a("text", note.text);
  a.if_any("percent", note.percent);
}

void fields(JsonFields& a, KernelTiering& state) {
  a.or_null("requested", state.requested);
  HDB_FIELDS(state, numa_balancing, demotion, zone_reclaim_mode, damon);
}

void fields(JsonFields& a, LinkPoint& point) { HDB_FIELDS(point, bytes, ms); }

void fields(JsonFields& a, RankContext& rank) {
  fields(a, rank.host);
  HDB_FIELDS(rank, partitions, preflight, media);
  a("ceilings", rank.memory);
  HDB_FIELDS(rank.link, clock_offset_ms, clock_error_ms);
  a("link_gb_per_s", rank.link.gb_s);
  a("link", rank.link.points);
}

void fields(JsonFields& a, RankCellTimes& times) {
  a("begin_ms", times.begin);
  a("map_ms", times.map);
  a("wait_ms", times.wait);
  a("transfer_ms", times.transfer);
}

void fields(JsonFields& a, DeviceCharges& charges) {
  a("device", charges.device);
  a("touched_read_bytes", charges.read_bytes);
  a("touched_written_bytes", charges.written_bytes);
  a("media_read_bytes", charges.media.read);
  a("media_written_bytes", charges.media.written);
  std::optional<std::uint64_t> lines;
  if (charges.near_cache) lines = charges.near_cache->lines;
  a.if_any("near_lines", lines);
  if (!lines) return;
  if (a.reads()) charges.near_cache.emplace().lines = *lines;
  a("near_hits", charges.near_cache->hits);
}

void fields(JsonFields& a, EmulationResult& emulation) {
  HDB_FIELDS(emulation, elapsed_ns, waited_ns, bandwidth_ns, latency_ns, serial_ns, modelled_ns,
             devices);
}

void fields(JsonFields& a, KdbNeed& need) {
  HDB_FIELDS(need, version, secondary_threads, least_w_mib, peak_used_bytes, peak_heap_bytes);
}

void fields(JsonFields& a, PlacementProof& proof) {
  a.if_any("part", proof.part);
  a.or_null("claim", proof.claim);
  a.or_null("how", proof.how);
  HDB_FIELDS(proof, bytes_total, bytes_where_promised, bytes_resident);
  a.if_any("bytes_in_huge_pages", proof.bytes_in_huge_pages);
  a("is_pmem", proof.is_pmem);
  HDB_FIELDS(proof.pages, pages_total, pages_looked_at, pages_absent);
  Named<std::uint64_t> nodes;
  for (const auto& [node, pages] : proof.pages.by_node)
    nodes.emplace_back(std::to_string(node), pages);
  a("pages_by_node", nodes);
  for (const auto& [node, pages] : nodes) proof.pages.by_node[std::stoi(node)] = pages;
  a.or_null("unknown", proof.unknown);
  a.if_any("parts", proof.parts);
}

void fields(JsonFields& a, Interval& interval) { HDB_FIELDS(interval, low, high); }

void fields(JsonFields& a, LatencyFigure& figure) {
  a("ms", figure.ms);
  a("interval", figure.interval);
}

void axis_field(JsonFields& a, const Axis& axis, Setting& setting);

std::string checksum_text(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }
std::uint64_t checksum_of(const std::string& text) { return std::stoull(text, nullptr, 16); }
int query_of(const std::string& label) { return std::stoi(label.substr(1)); }

// Its mode is always wall.
void fields(JsonFields& a, UsersCell& cell) {
  a.derived("name", cell.name());
  HDB_FIELDS(cell, users, arrivals_per_s, processes, mix, mix_texts, asked_seconds, emulated,
             medium_label);
  for (const Axis& axis : axes()) {
    if (!axis.key.empty()) axis_field(a, axis, cell.setting);
  }
  a.unless_first("compressed", cell.setting.compressed);
  a("dataset", cell.setting.dataset);
  a.if_any("spill", cell.setting.spill);
  HDB_FIELDS(cell, rounds, seconds, answers, per_s, per_s_interval, p50, p90, p99, p999, max_ms,
             queued_ms, served_ms, checked_ms, in_system);
  if (const auto ratio = cell.littles_ratio()) a.derived("littles_law", *ratio);
  HDB_FIELDS(cell, cpus, gb_per_s, device_gb_per_s, overrun, offered_load, lost, died);
  Named<std::uint64_t> by_query;
  for (const auto& [query, answers] : cell.answers_by_query)
    by_query.emplace_back(query_label(query), answers);
  a("answers_by_query", by_query);
  Named<std::string> checksums;
  for (const auto& [query, checksum] : cell.checksums)
    checksums.emplace_back(query_label(query), checksum_text(checksum));
  a("checksums", checksums);
  if (a.reads()) {
    for (const auto& [label, answers] : by_query)
      cell.answers_by_query.emplace_back(query_of(label), answers);
    for (const auto& [label, checksum] : checksums)
      cell.checksums.emplace_back(query_of(label), checksum_of(checksum));
  }
  a("error", cell.error);
}

void fields(JsonFields& a, RunContext& context) {
  a("date", context.date);
  a("executable", context.executable);
  fields(a, context.host);
  if (a.reads()) context.ceilings.quota_cpus = context.host.quota_cpus;
  a("library_build_type", context.build_type);
  a("memory_available_bytes", context.available_before_bytes);
  a("memory_available_lowest_bytes", context.available_lowest_bytes);
  a("hdbench_version", context.version);
  a.derived("schema_version", kResultsSchemaVersion);
  a("commit", context.commit);
  DatasetContext first = context.datasets.front();
  a.derived("database", first.database);
  a.derived("partitions", first.partitions);
  if (!a.reads()) a("table_rows", first.table_rows);
  a("datasets", context.datasets);
  if (context.datasets.empty()) throw BadField("'datasets' is empty, expected one or more");
  a("query_file", context.query_file);
  a("command", context.command);
  a.or_null("experiment", context.experiment);
  HDB_FIELDS(context, repetitions, repetitions_most, precision, visits);
  a.derived("interval", {{"of", "the median"},
                         {"method", context.visits > 1
                                        ? "percentile bootstrap, of visits and then of repetitions"
                                        : "percentile bootstrap"},
                         {"level", kIntervalLevel},
                         {"resamples", kResamples}});
  HDB_FIELDS(context, preflight, elapsed_s, budget_s, sittings, order_seed, result_medium,
             cpu_tuning, profiles);
  a.if_any("kernel_tiering", context.tiering);
  a.if_any("media_without_latency", context.media_without_latency);
  HDB_FIELDS(context, codes_saved, left_out, host_limits);
  a("ceilings", context.ceilings.memory);
  a("placement_ceilings", context.ceilings.placements);
  a.or_null("device_ceilings", context.ceilings.device);
  // Null where scratch files lie on the same device, or no cold cell reads them.
  a("scratch_device_ceilings", context.ceilings.scratch_device);
  a("peers", context.peer_memory);
  a.if_any("users", context.users);
  a.if_any("ranks", context.ranks);
  if (!context.ranks.empty()) a("network_gb_per_s", context.network_gb_s);
  a("complete", context.complete);
  a.if_any("benchmark_context", context.benchmark_context);
}

// Derived from a cell's times; written only. Google Benchmark's tools want numbers: what is not
// known is 0 there, as that library writes it, and a cell without rows is an error to them.
void add_times(JsonFields& a, const CellResult& cell) {
  const bool has_times = cell.rows_out && !cell.real_ms.empty();
  a.derived("run_type", "iteration");
  a.derived("repetitions", cell.real_ms.size());
  a.derived("repetition_index", 0);
  a.derived("iterations", 1);
  a.derived("real_time", has_times ? median(cell.real_ms) : 0.0);
  a.derived("cpu_time", median_cpu_ms(cell).value_or(0));
  a.derived("time_unit", "ms");
  a.derived("spread", nullptr);
  a.derived("interval_ms", nullptr);
  if (!has_times) return;
  const Summary summary = summarise(cell.real_ms);
  a.derived("spread", {{"median", summary.median},
                       {"min", summary.min},
                       {"max", summary.max},
                       {"relative", summary.relative_spread}});
  if (const auto interval = median_interval(cell.times()))
    a.derived("interval_ms", Json{interval->low, interval->high});
}

// A peer's cell has none: what it touches is not measured.
void add_ceiling(JsonFields& a, const CellResult& cell, const RunCeilings& ceilings) {
  for (const char* name :
       {"gb_per_s", "ceiling", "ceiling_percent", "best_possible_ms", "above_ceiling",
        "above_ceiling_reason", "ceiling_reason", "cached", "resident_before"}) {
    a.derived(name, nullptr);
  }
  if (cell.peer) return;
  a.derived("cached", is_cached(cell, ceilings));
  a.derived("resident_before", cell.resident_before());
  if (const auto rate = gb_per_s(cell)) a.derived("gb_per_s", *rate);
  const Result<CellCeiling> ceiling = cell_ceiling(cell, ceilings);
  if (!ceiling.ok()) return a.derived("ceiling_reason", ceiling.error().message);
  a.derived("ceiling", word(ceiling->kind));
  a.derived("ceiling_percent", ceiling->percent);
  a.derived("best_possible_ms", ceiling->best_possible_ms);
  a.derived("above_ceiling", ceiling->is_above);
  if (!ceiling->reason.empty()) a.derived("above_ceiling_reason", ceiling->reason);
}

// Written only: what other fields say, for Google Benchmark's tools and for readers. Null: those of
// a line.
void add_derived(JsonFields& a, const CellResult& cell, const RunCeilings* ceilings) {
  a.derived("name", cell.name());
  if (ceilings != nullptr) a.derived("run_name", cell.name());
  a.derived("engine", cell.peer ? cell.peer->engine : "hdbench");
  if (ceilings == nullptr) return;
  const std::string& medium = cell.setting.medium;
  a.derived("medium", cell.profile ? medium.substr(0, medium.find(':')) : medium);
  add_times(a, cell);
  add_ceiling(a, cell, *ceilings);
  if (!cell.error && median_ms(cell)) return;
  a.derived("error_occurred", true);
  a.derived("error_message", cell.error.value_or("not measured"));
}

void axis_field(JsonFields& a, const Axis& axis, Setting& setting) {
  const std::string key(axis.key);
  std::string word = axis.word(setting);
  if (axis.number_max != 0 && axis.shown == Axis::Shown::kUnlessUsual) {
    std::optional<std::uint64_t> number;
    if (!word.empty()) number = std::stoull(word);
    a.if_any(key.c_str(), number);
    word = number ? std::to_string(*number) : "";
  } else if (axis.number_max != 0) {
    std::uint64_t number = std::stoull(word);
    a(key.c_str(), number);
    word = std::to_string(number);
  } else if (axis.shown == Axis::Shown::kAlways || axis.is_own) {
    a(key.c_str(), word);
  } else {
    a.or_null(key.c_str(), word);
  }
  if (!a.reads()) return;
  const Status set = axis.set(axis, setting, word);
  if (!set.ok()) throw BadField(set.error().message);
}

void setting_fields(JsonFields& a, CellResult& cell) {
  for (const Axis& axis : axes()) {
    if (axis.key.empty()) continue;
    if (axis.is_own && cell.peer) {
      a.derived(std::string(axis.key).c_str(), nullptr);
    } else {
      axis_field(a, axis, cell.setting);
    }
  }
  if (cell.peer) a("codes", cell.peer->codes);
  a.unless_first("compressed", cell.setting.compressed);
  a("dataset", cell.setting.dataset);
  a.if_any("spill", cell.setting.spill);
  a("emulation_mode", cell.emulation_mode);
  const auto mode = cell.emulation_mode.value_or(EmulationMode::kWall);
  if (a.reads() && mode != EmulationMode::kWall) cell.setting.emulation = word(mode);
}

// What hdbench's own cells cost; of a peer's, null.
void cost_fields(JsonFields& a, CellResult& cell) {
  const auto own = [&](const char* name, auto& value) {
    if (cell.peer) return a.derived(name, nullptr);
    a(name, value);
  };
  own("bytes_read", cell.bytes_read);
  own("bytes_read_by_column", cell.bytes_read_by_column);
  own("bytes_written", cell.bytes_written);
  a.unless_first("bytes_unpacked", cell.bytes_unpacked);
  own("used_workspace_bytes", cell.used_bytes);
  own("peak_workspace_bytes", cell.peak_workspace_bytes);
  own("spilled_bytes", cell.spilled_bytes);
  a.if_any("kdb_memory", cell.kdb);
  own("resident_of_bytes", cell.held_bytes);
  a("resident_least_bytes", cell.resident_min_bytes);
  a("resident_most_bytes", cell.resident_max_bytes);
  own("major_faults", cell.major_faults);
  a.if_any("minor_faults", cell.minor_faults);
  a("device_bytes", cell.device_bytes);
  a.if_any("throttled_periods", cell.throttled_periods);
  a.if_any("rank_times", cell.rank_times);
}

void result_fields(JsonFields& a, CellResult& cell) {
  std::optional<std::string> checksum;
  if (cell.checksum) checksum = checksum_text(*cell.checksum);
  a("checksum", checksum);
  if (checksum) cell.checksum = checksum_of(*checksum);
  a("error", cell.error);
  std::optional<std::size_t> error_visit;
  if (cell.error) error_visit = cell.error_visit;
  a("error_visit", error_visit);
  cell.error_visit = error_visit.value_or(0);
}

void fields(JsonFields& a, PeerLabel& peer) {
  a("engine_version", peer.version);
  a("loaded", peer.loaded);
  a("form", peer.form);
  a("startup_ms", peer.startup_ms);  // the same query over a table of one row
  a("unread", peer.unread);          // what it answers from without reading the columns
}

void check_visits(const CellResult& cell) {
  const std::size_t all = std::accumulate(cell.visits.begin(), cell.visits.end(), std::size_t{0});
  if (cell.visits.empty() || all == cell.real_ms.size()) return;
  throw BadField(fmt::format("'visits' adds up to {}, expected the {} of 'times_ms'", all,
                             cell.real_ms.size()));
}

// Requires, to read a peer's cell: it has a label, with its engine.
void cell_fields(JsonFields& a, CellResult& cell, const RunCeilings* ceilings) {
  if (!a.reads()) add_derived(a, cell, ceilings);
  a("times_ms", cell.real_ms);
  a("cpu_times_ms", cell.cpu_ms);
  a("visits", cell.visits);  // how many of the times each gave; empty: one visit
  check_visits(cell);
  a("query", cell.query);
  a("query_text", cell.text);
  a.if_any("query_name", cell.name_of_query);
  HDB_FIELDS(cell, medium_label, profile, place_profiles, result_profile, emulated);
  a.if_any("spill_profile", cell.spill_profile);
  a.or_null("emulation", cell.emulations);     // the account of the emulated devices
  a("placement_proof", cell.placement_proof);  // where the bytes were found to lie
  a("result_placement_proof", cell.result_proof);
  a.if_any("spill_placement_proof", cell.spill_proof);
  setting_fields(a, cell);
  a("rows_in", cell.rows_in);
  a("rows_out", cell.rows_out);
  cost_fields(a, cell);
  result_fields(a, cell);
  if (cell.peer) fields(a, *cell.peer);
}

namespace {

// "benchmarks[12] (Q07/medium:dram/...)".
std::string place_of(const Json& json, std::size_t index) {
  const std::string name = json.is_object() && json.contains("name") ? json["name"].dump() : "";
  return fmt::format("benchmarks[{}]{}", index,
                     name.size() > 2 ? " (" + name.substr(1, name.size() - 2) + ")" : "");
}

CellResult cell_of(Json& json) {
  JsonFields reader(json, JsonFields::Way::kRead);
  CellResult cell;
  std::string engine;
  reader("engine", engine);
  if (engine != "hdbench") cell.peer.emplace().engine = engine;
  cell_fields(reader, cell, nullptr);
  return cell;
}

SavedRun run_of(Json& json, const std::string& file) {
  SavedRun run{file, {}, {}};
  JsonFields reader(json, JsonFields::Way::kRead);
  reader("context", run.context);
  for (Json& one : json["benchmarks"]) {
    try {
      run.cells.push_back(cell_of(one));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& bad) {
      throw BadField(place_of(one, run.cells.size()) + ": " + bad.what());
    }
  }
  return run;
}

Json document(const RunContext& context, const std::vector<CellResult>& cells,
              const RunCeilings* ceilings) {
  Json json = {{"context", Json()}, {"benchmarks", Json::array_t(cells.size())}};
  RunContext written = context;
  JsonFields(json, JsonFields::Way::kWrite)("context", written);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellResult cell = cells[i];
    Json& object = json["benchmarks"][i] = Json::object();
    JsonFields writer(object, JsonFields::Way::kWrite);
    cell_fields(writer, cell, ceilings);
  }
  return json;
}

std::string dumped(const Json& json, int indent) {
  return printable(json.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string results_json(const RunContext& context, const std::vector<CellResult>& cells) {
  constexpr int kIndent = 1;
  return dumped(document(context, cells, &context.ceilings), kIndent);
}

std::string results_line(const RunContext& context, const std::vector<CellResult>& cells) {
  constexpr int kNoIndent = -1;
  return dumped(document(context, cells, nullptr), kNoIndent);
}

std::string rank_context_text(const RankContext& rank) {
  Json json = Json::object();
  RankContext written = rank;
  JsonFields writer(json, JsonFields::Way::kWrite);
  fields(writer, written);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<RankContext> parse_rank_context(std::string_view text, const std::string& from) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return data_error(from + ": its machine's description is no JSON");
  RankContext rank;
  try {
    JsonFields reader(json, JsonFields::Way::kRead);
    fields(reader, rank);
  } catch (const BadField& bad) {
    return data_error(fmt::format("{}: {}", from, bad.what()));
  }
  return rank;
}

Status check_schema_version(const Json& context, const std::string& file) {
  const Json schema = context.value("schema_version", Json());
  if (schema == kResultsSchemaVersion) return ok_status();
  return data_error(
      fmt::format("{}: schema_version {}, and this hdbench reads {}: take the one that wrote it",
                  file, schema.is_null() ? "missing" : schema.dump(), kResultsSchemaVersion));
}

Result<SavedRun> parse_results(std::string_view text, const std::string& file) {
  const bool is_too_deep = json_depth(text) > kJsonDepthMax;
  Json json = is_too_deep ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
  if (json.is_discarded())
    return data_error(file + ": not JSON: expected what `hdbench run --out` writes");
  if (!json.is_object() || !json.contains("context") || !json.contains("benchmarks") ||
      !json["context"].contains("hdbench_version")) {
    return data_error(file + ": no results of hdbench: expected what `hdbench run --out` writes");
  }
  HDB_TRY(check_schema_version(json["context"], file));
  if (json["context"].value("tool", Json()) == "io")
    return data_error(file + ": results of `hdbench io`, expected those of `hdbench run --out`");
  try {
    return run_of(json, file);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& bad) {
    return data_error(fmt::format("{}: {}", file, bad.what()));
  }
}

Result<SavedRun> read_results(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    return usage_error(file.string() + ": there is no such file");
  HDB_ASSIGN(const std::string text, read_text(file, kResultsBytesMax));
  return parse_results(text, file.string());
}

}  // namespace hdbench::bench

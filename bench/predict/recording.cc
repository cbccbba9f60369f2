#include "bench/predict/recording.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>

#include "bench/base/progress.h"
#include "bench/base/statistics.h"
#include "bench/machine/host_figures.h"
#include "bench/machine/memory_probe.h"
#include "bench/run/needed_columns.h"
#include "engine/base/check.h"
#include "engine/column/memory_table.h"
#include "engine/kernel/stream.h"
#include "engine/shaping/result_schema.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kOrderSeed = 1;
constexpr std::size_t kLoadRounds = 3;
constexpr std::size_t kFixedRounds = 5;

// The columns that some query reads of a table, in each of its parts.
NeededColumns columns_read(const Table& table, const BoundQueries& bound) {
  NeededColumns needed(table);
  for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
  return needed;
}

// The first row of each part, without indexes; columns that the query does not read have a zero.
// Nothing where a part cannot be read.
std::optional<MemoryTable> first_rows(const Table& table, const Plan& plan) {
  static constexpr std::uint64_t kZeros[2] = {0, 0};
  NeededColumns needed(table);
  needed.add(table, plan);
  const Schema& schema = table.schema();
  const std::size_t first_field = schema.partitioned ? 1 : 0;
  std::vector<MemoryTable::Part> parts(table.part_count());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto rows = table.rows(part);
    if (!rows.ok()) return {};
    if (schema.partitioned) parts[part].partition_value = table.partition_value(part);
    for (std::size_t field = first_field; field < schema.own_fields(); ++field) {
      Column zero;
      zero.type = schema.fields[field].type;
      zero.width = type_width(zero.type);
      zero.rows = std::min<std::uint64_t>(*rows, 1);
      zero.data = reinterpret_cast<const std::byte*>(kZeros);
      zero.domain = schema.fields[field].domain;
      parts[part].columns.push_back(std::move(zero));
    }
  }
  for (const NeededColumns::Place& place : needed.places()) {
    const auto column = table.column(place.part, place.field);
    if (!column.ok() || (*column)->is_packed()) return {};
    Column& first = parts[place.part].columns[place.field - first_field];
    first = **column;
    first.rows = std::min<std::uint64_t>(first.rows, 1);
    first.attribute = Attribute::kNone;
    first.index.reset();
    first.index_bytes = {};
  }
  Schema own = schema;
  own.fields.resize(schema.own_fields());
  for (Field& field : own.fields) field.attribute = Attribute::kNone;
  return MemoryTable(table.name(), own, std::move(parts));
}

}  // namespace

Result<HostMemory> measure_host_memory(OnePool& pools, std::size_t buffer_bytes,
                                       const RegionSource& source) {
  HostMemory memory;
  HDB_ASSIGN(memory.calibration, calibrate_host(pools, buffer_bytes, source));
  const Host host = read_host(pools.all_threads());
  memory.cache_bytes = last_level_bytes(host);
  LoadProbe probe(buffer_bytes > 0 ? buffer_bytes : probe_bytes(host), source);
  const auto go_on = [](std::size_t, std::size_t) { return !interrupted().load(); };
  HDB_ASSIGN(const LoadCurves curves, measure_load(probe, pools.widest(), kLoadRounds, go_on));
  DeviceProfile& profile = memory.profile;
  profile.name = "dram";
  profile.latency.read_random_ns = memory.calibration.chase_ns;
  profile.curves[static_cast<int>(AccessKind::kRead)][0] = memory.calibration.read;
  profile.curves[static_cast<int>(AccessKind::kWrite)][0] = memory.calibration.write;
  profile.mix_points = curves.mixes;
  profile.loaded_latency = rising_latencies(curves.latency);
  profile.mlp = 1;
  return memory;
}

Result<double> measure_slowed_beside(OnePool& pools, std::size_t threads, double gb_s) {
  if (gb_s <= 0 || threads + 1 > pools.all_threads()) return 1.0;
  constexpr std::size_t kRounds = 9;
  LoadProbe probe(probe_bytes(read_host(pools.all_threads())));
  std::vector<double> slowed;
  for (std::size_t round = 0; round < kRounds; ++round) {
    HDB_ASSIGN(const double alone, probe.bandwidth_beside(pools.of(threads + 1), 0));
    HDB_ASSIGN(const double beside, probe.bandwidth_beside(pools.of(threads + 1), gb_s));
    slowed.push_back(alone / beside);
  }
  return std::max(1.0, median(slowed));
}

// The fields of a query without outputs of its own choice, less those that it names elsewhere.
std::vector<std::string> shown_whole(const BoundQuery& query) {
  const Plan& plan = *query.plan;
  if (plan.source != nullptr || plan.aggregates() || !plan.computed.empty()) return {};
  const Schema& schema = query.table->schema();
  std::set<std::size_t> shown, named;
  for (const Output& output : plan.outputs) {
    if (output.field) shown.insert(*output.field);
  }
  for (const GroupKey& key : plan.by) named.insert(key.field);
  for (const Condition& condition : plan.where) named.insert(condition.field);
  std::vector<std::string> columns;
  for (std::size_t field = schema.partitioned ? 1 : 0; field < schema.own_fields(); ++field) {
    if (named.contains(field)) continue;
    if (!shown.contains(field)) return {};
    columns.push_back(schema.fields[field].name);
  }
  return columns;
}

const TraceTiming& RecordedQuery::middle() const {
  std::vector<const TraceTiming*> by_work;
  for (const TraceTiming& timing : timings) by_work.push_back(&timing);
  const auto all_ns = [&](const TraceTiming* timing) {
    return work_ns(trace, *timing, true) + work_ns(trace, *timing, false);
  };
  const auto middle = by_work.begin() + static_cast<std::ptrdiff_t>(by_work.size() / 2);
  std::nth_element(
      by_work.begin(), middle, by_work.end(),
      [&](const TraceTiming* a, const TraceTiming* b) { return all_ns(a) < all_ns(b); });
  return **middle;
}

std::vector<std::size_t> RecordedQuery::places_read() const {
  std::set<std::size_t> places;
  for (const TraceSection& section : trace.sections) {
    for (const TraceTask& task : section.tasks) {
      for (const TraceStep& step : task.steps) {
        if (!step.is_work) places.insert(step.place);
      }
    }
  }
  return {places.begin(), places.end()};
}

Recording::Recording(Session& session, TablePlacement& placement, const BoundQueries& bound)
    : session_(session), placement_(placement) {
  for (const std::string& name : placement.known_tables()) {
    const bool is_read = std::any_of(bound.begin(), bound.end(), [&](const auto& one) {
      for (const PlanLeaf& leaf : leaves_of(*one.second.table, *one.second.plan)) {
        if (leaf.table.name() == name) return true;
      }
      return false;
    });
    if (!is_read) continue;
    const Table& table = placement.table(name);
    for (const NeededColumns::Place& place : columns_read(table, bound).places()) {
      const auto column = table.column(place.part, place.field);
      if (!column.ok()) continue;
      targets_.add_column({name, table.schema().fields[place.field].name, place.part}, **column);
    }
  }
}

// By reads, which leave nothing behind that would be written back in the query's time.
Status Recording::evict_caches(std::uint64_t cache_bytes) {
  const auto words = [&] {
    return std::span<std::uint64_t>{reinterpret_cast<std::uint64_t*>(evicting_.bytes.data()),
                                    evicting_.bytes.size() / sizeof(std::uint64_t)};
  };
  if (evicting_.bytes.empty()) {
    HDB_ASSIGN(evicting_, map_huge_memory(std::max<std::uint64_t>(2 * cache_bytes, 4 << 20)));
    stream_fill(words(), 1, StoreKind::kNonTemporal);
  }
  HDB_CHECK(stream_sum(words(), StreamOrder::kLinear) == words().size(), "memory keeps its values");
  return ok_status();
}

Result<Trace> Recording::run_once(const BoundQuery& query, const Table& table,
                                  const RecordingRule& rule, TraceRecorder& recorder,
                                  ThreadPool& pool, AccessMeter* meter, std::uint64_t* rows_out) {
  Workspace workspace(session_.limit_bytes({}, placement_.medium()),
                      session_.result_medium_of(placement_.medium()).results());
  ExecuteSettings settings;
  settings.mode = rule.mode;
  settings.use_index = rule.use_index;
  settings.meter = meter;
  settings.stop = session_.options().stop;
  recorder.begin();
  const Result<ResultTable> result = execute(table, *query.plan, settings, pool, workspace);
  Trace trace = recorder.end();
  if (!result.ok()) return result.error();
  if (rows_out != nullptr) *rows_out = result->rows;
  return trace;
}

Result<FixedWork> Recording::fixed_work(const BoundQuery& query, const RecordingRule& rule,
                                        TraceRecorder& recorder, ThreadPool& pool,
                                        std::uint64_t cache_bytes) {
  FixedWork fixed;
  // A query over what others made has no first rows of its own.
  if (query.plan->source != nullptr) return fixed;
  const std::optional<MemoryTable> table = first_rows(*query.table, *query.plan);
  if (!table) return fixed;
  std::vector<double> alone, parallel;
  for (std::size_t k = 0; k < kFixedRounds; ++k) {
    // Code and tables that are not in the caches are no work of rows either.
    if (rule.evicts) HDB_TRY(evict_caches(cache_bytes));
    // What one row cannot be asked is no fixed work that is known.
    const auto trace = run_once(query, *table, rule, recorder, pool, nullptr);
    if (!trace.ok()) return fixed;
    const TraceTiming timing = timing_of(*trace);
    alone.push_back(static_cast<double>(work_ns(*trace, timing, false)));
    parallel.push_back(static_cast<double>(work_ns(*trace, timing, true)));
  }
  fixed.alone_ns = *std::min_element(alone.begin(), alone.end());
  fixed.parallel_ns = *std::min_element(parallel.begin(), parallel.end());
  return fixed;
}

Result<std::vector<RecordedQuery>> Recording::record(const std::vector<ListedQuery>& queries,
                                                     const BoundQueries& bound,
                                                     const RecordingRule& rule,
                                                     std::uint64_t cache_bytes) {
  TraceRecorder recorder(targets_, rule.workers, rule.evicts ? 0 : cache_bytes);
  ThreadPool pool(rule.workers, recorder);
  std::vector<RecordedQuery> recorded(queries.size());
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(kOrderSeed);
  Progress progress("recording queries in DRAM");
  for (std::size_t round = 0; round <= rule.repetitions; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t k = 0; k < order.size(); ++k) {
      progress.show(round * order.size() + k, (rule.repetitions + 1) * order.size());
      const ListedQuery& listed = queries[order[k]];
      RecordedQuery& one = recorded[order[k]];
      const BoundQuery& query = bound.at(listed.id);
      if (rule.evicts) HDB_TRY(evict_caches(cache_bytes));
      // The first round tells the accesses.
      targets_.make_cold();
      AccessMeter* const meter = round == 0 ? &recorder : nullptr;
      auto trace = run_once(query, *query.table, rule, recorder, pool, meter, &one.rows_out);
      if (!trace.ok()) return error_in(listed, trace.error());
      if (round == 0) {
        one.trace = std::move(*trace);
      } else if (TraceTiming timing = timing_of(*trace); fits(timing, one.trace)) {
        one.timings.push_back(std::move(timing));
      }
    }
  }
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const BoundQuery& query = bound.at(queries[q].id);
    recorded[q].id = queries[q].id;
    // A query that does otherwise each time has the time of the run that told its accesses.
    if (recorded[q].timings.empty()) recorded[q].timings.push_back(timing_of(recorded[q].trace));
    recorded[q].is_cached = rule.is_cached;
    recorded[q].shown_whole = shown_whole(query);
    recorded[q].result_grows = query.plan->by.empty() && !query.plan->aggregates();
    HDB_ASSIGN(recorded[q].fixed, fixed_work(query, rule, recorder, pool, cache_bytes));
  }
  return recorded;
}

}  // namespace hdbench::bench

#include "bench/model/peer_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/model/time_budget.h"
#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

struct Engine {
  std::string_view name;
  double tables;  // anonymous memory at its highest, in flat tables
};

// chDB holds the table twice; Polars and DataFusion read the mapped files, which are counted with
// hdbench's own.
constexpr std::array<Engine, 4> kEngines = {
    {{"duckdb", 1.7}, {"polars", 1.0}, {"chdb", 1.9}, {"datafusion", 1.3}}};
constexpr std::uint64_t kWorkerBytes = 300'000'000;  // Python and libraries
// hdbench's flat table, its largest result, and the column files in the page cache.
constexpr double kOwnTables = 3.1;
// Of a worker on two processors: loading and checking, and each time that it is asked the eleven.
constexpr double kLoadSecondsAGigabyte = 35;
constexpr double kRepeatSecondsAGigabyte = 2;

std::uint64_t tables_bytes(double tables, std::uint64_t table_bytes) {
  return static_cast<std::uint64_t>(std::llround(tables * static_cast<double>(table_bytes)));
}

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

}  // namespace

std::vector<std::string_view> peer_engines() {
  std::vector<std::string_view> names;
  for (const Engine& engine : kEngines) names.push_back(engine.name);
  return names;
}

std::uint64_t worker_bytes(std::string_view engine, std::uint64_t table_bytes) {
  const auto found = std::find_if(kEngines.begin(), kEngines.end(),
                                  [&](const Engine& known) { return known.name == engine; });
  HDB_CHECK(found != kEngines.end(), "peer_options() knows the engines");
  return kWorkerBytes + tables_bytes(found->tables, table_bytes);
}

Result<PeerPlan> plan_peers(const PeerDemand& demand,
                            std::optional<std::uint64_t> available_bytes) {
  std::uint64_t largest = 0;
  for (const std::string& engine : demand.engines) {
    largest = std::max(largest, worker_bytes(engine, demand.table_bytes));
  }
  const double workers = static_cast<double>(demand.engines.size() * demand.thread_counts);
  const double repetitions = static_cast<double>(demand.repetitions);
  const PeerPlan plan{tables_bytes(kOwnTables, demand.table_bytes) + demand.ceiling_bytes + largest,
                      available_bytes,
                      workers * gigabytes(demand.table_bytes) *
                          (kLoadSecondsAGigabyte + kRepeatSecondsAGigabyte * repetitions)};
  if (!available_bytes || plan.needed_bytes <= *available_bytes) return plan;
  return usage_error(fmt::format(
      "--peers: {:.1f} GB of memory are available, about {:.1f} GB are needed one after another",
      gigabytes(*available_bytes), gigabytes(plan.needed_bytes)));
}

std::string to_text(const PeerPlan& plan) {
  const std::string available =
      plan.available_bytes
          ? fmt::format("{:.1f} GB are available", gigabytes(*plan.available_bytes))
          : std::string("what is available is not known");
  return fmt::format(
      "one after another: about {:.1f} GB are needed, {}; about {} beside hdbench's own cells",
      gigabytes(plan.needed_bytes), available, duration_text(plan.seconds));
}

}  // namespace hdbench::bench

// Runs by several ranks for the report's tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {

// Of two ranks: rank 1 reads `slower` times as long as rank 0, which reads a tenth of the time.
inline CellResult shared_cell(int query, double ms, double slower, double transfer) {
  CellResult cell = sample_cell(query, "dram", ms);
  cell.setting.ranks = "2";
  const std::vector<double> own{ms / 10};
  const std::vector<double> other{slower * ms / 10};
  const std::vector<double> sent{transfer * ms};
  cell.rank_times = {{{0}, own, {(slower - 1) * ms / 10}, sent}, {{0.1}, other, {0}, sent}};
  return cell;
}

inline SavedRun shared_run(std::vector<CellResult> cells, const std::string& file = "a.json") {
  SavedRun run = sample_run(std::move(cells), file);
  run.context.ranks.resize(2);
  for (RankContext& one : run.context.ranks) {
    one.host.host_name = "host-<b>";
    one.host.cpus = 64;
    one.partitions = 31;
  }
  run.context.ranks[1].link = {-12.5, 0.25, {{8, 0.5}, {16 << 20, 140}}, 0.12};
  run.context.network_gb_s = 0.117;
  return run;
}

inline ReportInput input_of_ranks(std::vector<SavedRun> runs) {
  auto input = merge_runs(std::move(runs));
  REQUIRE(input.ok());
  return std::move(*input);
}

}  // namespace hdbench::bench

// Cells of several users for the report's tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {

// Its p99 is `ms`, with an interval of a tenth on both sides.
inline UsersCell answered(const std::string& medium, std::size_t processes, std::size_t users,
                          double per_s, double ms) {
  UsersCell cell;
  cell.setting.medium = medium;
  cell.setting.threads = 2;
  cell.processes = processes;
  cell.users = users;
  cell.per_s = per_s;
  cell.rounds = kUsersRounds;
  cell.answers = 1000;
  cell.seconds = 10;
  cell.p50 = LatencyFigure{ms / 2, {}};
  cell.p90 = LatencyFigure{ms * 0.9, {}};
  cell.p99 = LatencyFigure{ms, Interval{ms * 0.9, ms * 1.1}};
  cell.max_ms = 2 * ms;
  cell.queued_ms = ms / 4;
  cell.served_ms = ms / 4;
  cell.in_system = per_s * ms / 2 / 1e3;
  return cell;
}

inline ReportInput input_of_users(std::vector<UsersCell> cells) {
  SavedRun run = sample_run({sample_cell(1, "dram", 2)});
  run.context.users = std::move(cells);
  auto input = merge_runs({std::move(run)});
  REQUIRE(input.ok());
  return std::move(*input);
}

}  // namespace hdbench::bench

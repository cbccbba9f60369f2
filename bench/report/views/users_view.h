// Cells of several users as a report shows them: lines of points, one a medium and pool, and what
// they say about a goal that the reader names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/users_cell.h"
#include "bench/report/views/report_input.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// The cells of one setting and pool. Does not own them.
struct UsersLine {
  std::string label;                     // "dram partitioned, 2 processes of 1 thread, warm"
  std::vector<const UsersCell*> cells;   // closed loops by users, then open ones by their rate
  std::optional<Saturation> saturation;  // of the closed loops
};

// Of all runs; where a cell of one mix is in several, the last file's.
std::vector<UsersLine> users_lines(const ReportInput& input);

// "10 users", "50/s".
std::string users_text(const UsersCell& cell);

// "1,234/s at most; from 10 users on more of them only wait longer".
std::string saturation_text(const Saturation& saturation);

// "Little's law holds within 1.2 % in all 12 cells".
std::string littles_text(const std::vector<UsersLine>& lines);

// Why a cell has no times: its error, or what it can bear; empty: it has some.
std::string users_reason(const UsersCell& cell);

// A goal in the words of --goal. Errors: kUsage, with the form that is expected.
Result<LatencyGoal> parse_goal(std::string_view text);

// A licence is a core: a process with its threads takes as many as it has threads. Of all ranks.
std::size_t cores_of(const UsersCell& cell);

// One way to run the goal's users: of all cells of this medium, -s and pool with at least as many.
struct GoalChoice {
  const UsersCell* cell = nullptr;
  LatencyFigure figure;
  bool meets = false;  // with its whole interval, of all rounds
};

// What a medium offers, by cores; the first that meets it is the cheapest.
struct GoalAnswer {
  std::string medium;
  std::vector<GoalChoice> choices;      // the fastest of each number of cores, ascending
  std::optional<std::size_t> cheapest;  // of choices
  std::string reason;                   // why there is no choice

  std::string text(const LatencyGoal& goal) const;
};
std::vector<GoalAnswer> goal_answers(const ReportInput& input, const LatencyGoal& goal);

// A sentence for each goal of the reader's and medium.
std::vector<std::string> goal_lines(const ReportInput& input);

}  // namespace hdbench::bench

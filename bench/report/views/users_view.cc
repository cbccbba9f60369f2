#include "bench/report/views/users_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "bench/base/number_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

// The last of each name and mix, in the order in which they came.
std::vector<const UsersCell*> cells_of(const ReportInput& input) {
  std::vector<const UsersCell*> cells;
  for (const SavedRun& run : input.runs) {
    for (const UsersCell& cell : run.context.users) {
      const auto known = std::ranges::find_if(cells, [&](const UsersCell* one) {
        return one->name() == cell.name() && one->mix == cell.mix;
      });
      if (known == cells.end()) {
        cells.push_back(&cell);
      } else {
        *known = &cell;
      }
    }
  }
  return cells;
}

std::string pool_text(const UsersCell& cell) {
  const std::string pool =
      fmt::format("{} process{} of {}", cell.processes, cell.processes == 1 ? "" : "es",
                  threads_text(cell.setting.threads));
  const std::size_t ranks = rank_count(cell.setting);
  return ranks == 1 ? pool : fmt::format("{} ranks, each {}", ranks, pool);
}

const std::optional<LatencyFigure>& latency_of(const UsersCell& cell, double part) {
  if (part >= 0.999) return cell.p999;
  if (part >= 0.99) return cell.p99;
  return part >= 0.9 ? cell.p90 : cell.p50;
}

// A number at the text's front, which is taken off it.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take_word(std::string_view& text, std::string_view word) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  while (text.starts_with(' ')) text.remove_prefix(1);
  return true;
}

}  // namespace

std::size_t cores_of(const UsersCell& cell) {
  return rank_count(cell.setting) * cell.processes * cell.setting.threads;
}

std::vector<UsersLine> users_lines(const ReportInput& input) {
  std::vector<UsersLine> lines;
  const std::vector<const UsersCell*> cells = cells_of(input);
  const bool has_mixes = std::ranges::any_of(
      cells, [&](const UsersCell* cell) { return cell->mix != cells.front()->mix; });
  for (const UsersCell* cell : cells) {
    const auto known = std::ranges::find_if(
        lines, [&](const UsersLine& line) { return is_same_pool(*line.cells.front(), *cell); });
    if (known != lines.end()) {
      known->cells.push_back(cell);
    } else {
      std::string label =
          fmt::format("{}, {}", setting_text(cell->setting, cell->emulated), pool_text(*cell));
      if (has_mixes) label += fmt::format(", mix {}", cell->mix);
      lines.push_back({std::move(label), {cell}, {}});
    }
  }
  for (UsersLine& line : lines) {
    std::ranges::stable_sort(line.cells, {}, [](const UsersCell* cell) {
      return std::tuple(cell->users == 0, cell->users, cell->arrivals_per_s);
    });
    std::vector<UsersCell> copies;
    for (const UsersCell* cell : line.cells) copies.push_back(*cell);
    line.saturation = saturation_of(copies);
  }
  return lines;
}

std::string users_text(const UsersCell& cell) {
  return cell.users != 0 ? counted(cell.users, "user") : fmt::format("{:g}/s", cell.arrivals_per_s);
}

std::string saturation_text(const Saturation& saturation) {
  const std::string most = fmt::format("{:.4g} answers/s at most", saturation.most_per_s);
  if (!saturation.is_reached) return most + ", and more users may still add to it";
  return fmt::format("{}; beyond {} more of them only wait longer", most,
                     counted(saturation.at_users, "user"));
}

std::string littles_text(const std::vector<UsersLine>& lines) {
  std::size_t cells = 0;
  double worst = 0;
  for (const UsersLine& line : lines) {
    for (const UsersCell* cell : line.cells) {
      const auto ratio = cell->littles_ratio();
      if (!ratio || cell->overrun) continue;
      ++cells;
      worst = std::max(worst, std::abs(*ratio - 1));
    }
  }
  if (cells == 0) return {};
  return fmt::format("Little's law (users = rate x time) holds within {:.1f} % in {}.", worst * 100,
                     cells == 1 ? "the cell" : fmt::format("all {} cells", cells));
}

std::string users_reason(const UsersCell& cell) {
  if (cell.error) return *cell.error;
  if (!cell.overrun) return {};
  return fmt::format("arrivals are above what the pool bears, {:.4g}/s: the queue never empties",
                     cell.per_s);
}

Result<LatencyGoal> parse_goal(std::string_view text) {
  const Error bad = usage_error(
      fmt::format("--goal: '{}': expected such as 'p99<200ms at 20 users', with p50, p90, p99 or "
                  "p99.9, and ms or s",
                  text));
  LatencyGoal goal;
  goal.text = text;
  std::string_view rest = text;
  if (!take_word(rest, "p")) return bad;
  const auto percent = take_number(rest);
  if (!percent || (*percent != 50 && *percent != 90 && *percent != 99 && *percent != 99.9))
    return bad;
  goal.part = *percent / 100;
  if (!take_word(rest, "<")) return bad;
  const auto time = take_number(rest);
  if (!time || !(*time > 0) || !std::isfinite(*time)) return bad;
  const bool is_ms = take_word(rest, "ms");
  if (!is_ms && !take_word(rest, "s")) return bad;
  goal.ms = is_ms ? *time : *time * 1e3;
  if (!take_word(rest, "at")) return bad;
  const auto users = take_number(rest);
  if (!users || *users < 1 || *users > 1e6 || *users != std::floor(*users)) return bad;
  goal.users = static_cast<std::size_t>(*users);
  if (!take_word(rest, "users") && !take_word(rest, "user")) return bad;
  if (!rest.empty()) return bad;
  return goal;
}

std::vector<GoalAnswer> goal_answers(const ReportInput& input, const LatencyGoal& goal) {
  std::vector<GoalAnswer> answers;
  for (const UsersLine& line : users_lines(input)) {
    // The fewest users that are at least the goal's: fewer would flatter.
    const auto has_users = [&](const UsersCell* cell) { return cell->users >= goal.users; };
    const auto asked = std::ranges::find_if(line.cells, has_users);
    if (asked == line.cells.end()) continue;
    const std::string medium = setting_text((*asked)->setting, (*asked)->emulated);
    auto answer = std::ranges::find(answers, medium, &GoalAnswer::medium);
    if (answer == answers.end()) answer = answers.insert(answer, {medium, {}, {}, {}});
    const auto found = std::ranges::find_if(line.cells, [&](const UsersCell* cell) {
      return has_users(cell) && latency_of(*cell, goal.part);
    });
    if (found == line.cells.end()) {
      answer->reason = (*asked)->error.value_or("too few answers: run longer (--seconds)");
      continue;
    }
    const auto& figure = latency_of(**found, goal.part);
    const bool is_whole = (*found)->rounds >= kUsersRounds && figure->interval;
    const GoalChoice choice{*found, *figure, is_whole && figure->interval->high <= goal.ms};
    const auto same = std::ranges::find_if(answer->choices, [&](const GoalChoice& one) {
      return cores_of(*one.cell) == cores_of(*choice.cell);
    });
    if (same == answer->choices.end()) {
      answer->choices.push_back(choice);
    } else if (choice.figure.ms < same->figure.ms) {
      *same = choice;
    }
  }
  for (GoalAnswer& answer : answers) {
    std::ranges::sort(answer.choices, {},
                      [](const GoalChoice& choice) { return cores_of(*choice.cell); });
    const auto first = std::ranges::find_if(answer.choices, &GoalChoice::meets);
    if (first != answer.choices.end())
      answer.cheapest = static_cast<std::size_t>(first - answer.choices.begin());
  }
  return answers;
}

std::string GoalAnswer::text(const LatencyGoal& goal) const {
  const auto told = [&](const GoalChoice& choice) {
    const auto& interval = choice.figure.interval;
    return fmt::format("{} ({}): {} ms{}", counted(cores_of(*choice.cell), "core"),
                       pool_text(*choice.cell), format_ms(choice.figure.ms),
                       interval ? fmt::format(" [{}]", interval_text(*interval))
                                : " (without an interval: run longer)");
  };
  std::string text = medium + ": ";
  if (choices.empty()) return text + "cannot be said: " + reason;
  if (!cheapest) {
    const auto best = std::ranges::min_element(
        choices, {}, [](const GoalChoice& choice) { return choice.figure.ms; });
    return text + fmt::format("none that was run meets it; the best is {}", told(*best));
  }
  const GoalChoice& chosen = choices[*cheapest];
  text += told(chosen);
  if (chosen.cell->users > goal.users) text += fmt::format(", at {} users", chosen.cell->users);
  if (*cheapest + 1 < choices.size())
    text += "; the next step buys " + told(choices[*cheapest + 1]);
  return text;
}

std::vector<std::string> goal_lines(const ReportInput& input) {
  std::vector<std::string> lines;
  for (const LatencyGoal& goal : input.goals) {
    const auto answers = goal_answers(input, goal);
    for (const GoalAnswer& one : answers)
      lines.push_back(fmt::format("{}, the fewest cores: {}.", goal.text, one.text(goal)));
    if (!answers.empty()) continue;
    lines.push_back(fmt::format(
        "{}: cannot be said: no cell of {} or more users (run --users {} --processes LIST).",
        goal.text, goal.users, goal.users));
  }
  return lines;
}

}  // namespace hdbench::bench

#include "bench/results/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "bench/base/json_value.h"
#include "bench/base/statistics.h"
#include "bench/model/cell_ceiling.h"

namespace hdbench {
namespace {

constexpr std::size_t kFewRepetitions = 5;

using CellsByName = std::map<std::string, const CellResult*>;

CellsByName by_name(const SavedRun& run) {
  CellsByName cells;
  for (const CellResult& cell : run.cells) cells.emplace(cell.name(), &cell);
  return cells;
}

void note(std::vector<std::string>& notes, const char* what, const std::string& a,
          const std::string& b) {
  if (a != b) notes.push_back(fmt::format("{}: '{}' against '{}'", what, a, b));
}

std::string rows_text(const RunContext& context) {
  std::string text;
  for (const DatasetContext& dataset : context.datasets) {
    for (const auto& [table, rows] : dataset.table_rows)
      text += fmt::format("{}{} {} rows", text.empty() ? "" : ", ", table, rows);
  }
  return text;
}

std::vector<std::string> notes_of(const RunContext& a, const RunContext& b) {
  std::vector<std::string> notes;
  note(notes, "machine", describe(a.host), describe(b.host));
  note(notes, "commit", a.commit, b.commit);
  note(notes, "build", a.build_type, b.build_type);
  note(notes, "tables", rows_text(a), rows_text(b));
  note(notes, "visits", std::to_string(a.visits), std::to_string(b.visits));
  for (const auto& [name, digest] : a.profiles) {
    for (const auto& [other, other_digest] : b.profiles) {
      if (other == name) note(notes, fmt::format("profile {}", name).c_str(), digest, other_digest);
    }
  }
  for (const RunContext* context : {&a, &b}) {
    const char* const side = context == &a ? "A" : "B";
    if (context->repetitions < kFewRepetitions) {
      notes.push_back(
          fmt::format("{} has {} repetitions at least: an interval of few is little more "
                      "than their range",
                      side, context->repetitions));
    }
    if (!context->complete) notes.push_back(fmt::format("{} was ended before its last cell", side));
    for (const PreflightNote& one : context->preflight)
      notes.push_back(fmt::format("{} has a warning, {}: {}", side, one.name, one.text));
  }
  return notes;
}

// How much longer the machine itself takes over A's bytes: a program that reads more than before is
// not the machine's doing.
std::optional<double> floor_ratio_of(const CellResult& a, const RunCeilings& of_a,
                                     const CellResult& b, const RunCeilings& of_b) {
  CellResult of_same_bytes = b;
  of_same_bytes.bytes_read = a.bytes_read;
  of_same_bytes.bytes_written = a.bytes_written;
  of_same_bytes.device_bytes = a.device_bytes;
  const auto floor_a = cell_ceiling(a, of_a);
  const auto floor_b = cell_ceiling(of_same_bytes, of_b);
  if (!floor_a.ok() || !floor_b.ok()) return std::nullopt;
  if (!(floor_a->floor_ms > 0) || !(floor_b->floor_ms > 0)) return std::nullopt;
  // A device that was looked at before and after the rounds only says little of them.
  for (const auto& [cell, ceilings] : {std::pair(&a, &of_a), std::pair(&b, &of_b)}) {
    const PlacementCeilings* const placement = ceilings->of(cell->setting);
    const bool is_cold = cell->setting.cache == Cache::kCold;
    if (is_cold && placement->device_sequential.gb_s.empty()) return std::nullopt;
  }
  return floor_b->floor_ms / floor_a->floor_ms;
}

Ratio divided(Ratio ratio, double by) {
  ratio.value /= by;
  if (ratio.interval)
    ratio.interval = Interval{ratio.interval->low / by, ratio.interval->high / by};
  return ratio;
}

bool is_same_result(const CellResult& a, const CellResult& b) {
  return !a.checksum || !b.checksum || *a.checksum == *b.checksum;
}

ComparedCell compared(const CellResult& a, const CellResult& b, const Ratio& ratio,
                      double threshold_percent) {
  ComparedCell cell;
  cell.name = a.name();
  cell.a_ms = *median_ms(a);
  cell.b_ms = *median_ms(b);
  cell.ratio = ratio;
  cell.verdict = verdict_of(ratio);
  cell.regression = ratio.interval && ratio.interval->low > 1 + threshold_percent / 100;
  cell.same_result = is_same_result(a, b);
  return cell;
}

void summarise_ratios(Comparison& comparison) {
  std::vector<double> ratios;
  std::vector<double> floors;
  for (const ComparedCell& cell : comparison.cells) {
    ratios.push_back(cell.ratio.value);
    if (cell.floor_ratio) floors.push_back(*cell.floor_ratio);
    comparison.regressions += cell.regression ? 1 : 0;
    comparison.different_results += cell.same_result ? 0 : 1;
  }
  comparison.floors = floors.size();
  if (!floors.empty()) comparison.floors_mean = geometric_mean(floors);
  if (ratios.empty()) return;
  comparison.geometric_mean = geometric_mean(ratios);
  comparison.maximum = *std::max_element(ratios.begin(), ratios.end());
}

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.3f} .. {:.3f}", interval->low, interval->high) : "-";
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = name.find('/', begin);
    parts.push_back(name.substr(begin, end - begin));
  }
  return parts;
}

// What all cells have in common is told once, above the table.
struct ShortNames {
  std::vector<std::string> common;
  std::vector<std::string> names;
  std::size_t width = 4;
};

ShortNames short_names(const std::vector<ComparedCell>& cells) {
  std::map<std::string, std::size_t> counts;
  for (const ComparedCell& cell : cells) {
    for (const std::string& part : parts_of(cell.name)) ++counts[part];
  }
  const auto is_common = [&](const std::string& part) { return counts[part] == cells.size(); };
  ShortNames names;
  for (const ComparedCell& cell : cells) {
    std::string name;
    for (const std::string& part : parts_of(cell.name)) {
      if (part.front() == 'Q' || !is_common(part)) name += (name.empty() ? "" : "/") + part;
    }
    names.width = std::max(names.width, name.size());
    names.names.push_back(std::move(name));
  }
  if (cells.empty()) return names;
  for (const std::string& part : parts_of(cells.front().name)) {
    if (part.front() != 'Q' && is_common(part)) names.common.push_back(part);
  }
  return names;
}

std::string flags_text(const ComparedCell& cell) {
  std::string text(word(cell.verdict));
  if (cell.regression) text += ", REGRESSION";
  if (!cell.same_result) text += ", ANOTHER RESULT";
  return text;
}

}  // namespace

Verdict verdict_of(const Ratio& ratio) {
  if (!ratio.interval) return Verdict::kUnknown;
  if (!ratio.is_different()) return Verdict::kSame;
  return ratio.value > 1 ? Verdict::kSlower : Verdict::kFaster;
}

std::string_view word(Verdict verdict) {
  constexpr std::array kWords{"same", "faster", "slower", "unknown"};
  return kWords[static_cast<std::size_t>(verdict)];
}

Comparison compare(const SavedRun& a, const SavedRun& b, double threshold_percent, HeldBy held_by) {
  Comparison comparison;
  comparison.held_by = held_by;
  comparison.notes = notes_of(a.context, b.context);
  const CellsByName of_a = by_name(a);
  const CellsByName of_b = by_name(b);
  for (const CellResult& cell : a.cells) {
    const std::string name = cell.name();
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      comparison.only_a.push_back(name);
      continue;
    }
    auto ratio = median_ratio(other->second->times(), cell.times());
    if (!ratio || !median_ms(cell) || !median_ms(*other->second)) {
      const char* const side = median_ms(cell) ? "B" : median_ms(*other->second) ? "A" : "both";
      comparison.no_figure.push_back(fmt::format("{}: no figure in {}", name, side));
      continue;
    }
    const auto floor_ratio =
        floor_ratio_of(cell, a.context.ceilings, *other->second, b.context.ceilings);
    if (held_by == HeldBy::kCeiling) {
      if (!floor_ratio) {
        comparison.no_figure.push_back(name + ": no ceiling");
        if (!is_same_result(cell, *other->second)) ++comparison.different_results;
        continue;
      }
      ratio = divided(*ratio, *floor_ratio);
    }
    comparison.cells.push_back(compared(cell, *other->second, *ratio, threshold_percent));
    comparison.cells.back().floor_ratio = floor_ratio;
  }
  for (const CellResult& cell : b.cells) {
    if (of_a.count(cell.name()) == 0) comparison.only_b.push_back(cell.name());
  }
  summarise_ratios(comparison);
  return comparison;
}

std::string comparison_text(const Comparison& comparison, const SavedRun& a, const SavedRun& b,
                            double threshold_percent) {
  std::string text = fmt::format("A: {} ({}, {})\nB: {} ({}, {})\n", a.file, a.context.commit,
                                 a.context.date, b.file, b.context.commit, b.context.date);
  for (const std::string& line : comparison.notes) text += fmt::format("note: {}\n", line);
  const ShortNames names = short_names(comparison.cells);
  const std::size_t width = names.width;
  if (!names.common.empty()) text += fmt::format("all: {}\n", fmt::join(names.common, ", "));
  text += fmt::format("\n{:<{}} {:>10} {:>10} {:>7}  {:<16}  {}\n", "cell", width, "A ms", "B ms",
                      comparison.held_by == HeldBy::kTime ? "B / A" : "left", "95 % interval",
                      "machine");
  for (std::size_t at = 0; at < comparison.cells.size(); ++at) {
    const ComparedCell& cell = comparison.cells[at];
    text += fmt::format(
        "{:<{}} {:>10.3f} {:>10.3f} {:>7.3f}  {:<16}  {:<10}  {}\n", names.names[at], width,
        cell.a_ms, cell.b_ms, cell.ratio.value, interval_text(cell.ratio.interval),
        cell.floor_ratio ? fmt::format("{:.3f}", *cell.floor_ratio) : "-", flags_text(cell));
  }
  for (const std::string& line : comparison.no_figure) text += fmt::format("0N: {}\n", line);
  for (const std::string& name : comparison.only_a) text += fmt::format("only in A: {}\n", name);
  for (const std::string& name : comparison.only_b) text += fmt::format("only in B: {}\n", name);
  const auto count = [&](Verdict verdict) {
    return std::count_if(comparison.cells.begin(), comparison.cells.end(),
                         [&](const ComparedCell& cell) { return cell.verdict == verdict; });
  };
  if (comparison.geometric_mean) {
    text += fmt::format("\nB / A{}: geometric mean {:.3f}, maximum {:.3f}, of {} cells\n",
                        comparison.held_by == HeldBy::kTime ? "" : ", less the machine's part",
                        *comparison.geometric_mean, *comparison.maximum, comparison.cells.size());
  }
  if (comparison.floors_mean) {
    text += fmt::format(
        "machine (its own least time for the same bytes, measured in the same rounds), B / A: "
        "geometric mean {:.3f}, of {} cells\n",
        *comparison.floors_mean, comparison.floors);
  }
  text += fmt::format(
      "{} faster, {} slower, {} the same, {} not known, {} left out (0N); {} regression{} over "
      "{:g} %\n",
      count(Verdict::kFaster), count(Verdict::kSlower), count(Verdict::kSame),
      count(Verdict::kUnknown), comparison.no_figure.size(), comparison.regressions,
      comparison.regressions == 1 ? "" : "s", threshold_percent);
  return text;
}

std::string comparison_json(const Comparison& comparison, double threshold_percent) {
  Json cells = Json::array();
  for (const ComparedCell& cell : comparison.cells) {
    const auto& interval = cell.ratio.interval;
    cells.push_back({{"name", cell.name},
                     {"a_ms", cell.a_ms},
                     {"b_ms", cell.b_ms},
                     {"ratio", cell.ratio.value},
                     {"interval", interval ? Json{interval->low, interval->high} : Json()},
                     {"floor_ratio", or_null(cell.floor_ratio)},
                     {"verdict", word(cell.verdict)},
                     {"regression", cell.regression},
                     {"same_result", cell.same_result}});
  }
  Json json;
  json["threshold_percent"] = threshold_percent;
  json["by"] = comparison.held_by == HeldBy::kTime ? "time" : "ceiling";
  json["geometric_mean"] = or_null(comparison.geometric_mean);
  json["maximum"] = or_null(comparison.maximum);
  json["floors_geometric_mean"] = or_null(comparison.floors_mean);
  json["regressions"] = comparison.regressions;
  json["different_results"] = comparison.different_results;
  json["cells"] = std::move(cells);
  json["only_a"] = comparison.only_a;
  json["only_b"] = comparison.only_b;
  json["no_figure"] = comparison.no_figure;
  json["notes"] = comparison.notes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench

#include "bench/results/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/base/statistics.h"
#include "bench/model/cell_ceiling.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kFewRepetitions = 5;

struct Notes {
  std::vector<std::string>& lines;
  std::string of;  // "A2, "; empty: the second side's only file

  void operator()(std::string_view what, const std::string& a, const std::string& b) const {
    if (a != b) lines.push_back(fmt::format("{}{}: '{}' against '{}'", of, what, a, b));
  }
};

std::string table_rows_text(const RunContext& context) {
  std::string text;
  for (const DatasetContext& dataset : context.datasets) {
    for (const auto& [table, rows] : dataset.table_rows) {
      text += fmt::format("{}{} {} rows", text.empty() ? "" : ", ", table, rows);
    }
  }
  return text;
}

// What differs between the first file and another.
void add_differences(const Notes& note, const RunContext& a, const RunContext& b) {
  note("machine", describe(a.host), describe(b.host));
  note("commit", a.commit, b.commit);
  note("build", a.build_type, b.build_type);
  note("tables", table_rows_text(a), table_rows_text(b));
  note("visits", std::to_string(a.visits), std::to_string(b.visits));
  for (const auto& [name, digest] : a.profiles) {
    for (const auto& [other, other_digest] : b.profiles) {
      if (other == name) note(fmt::format("profile {}", name), digest, other_digest);
    }
  }
}

void add_warnings(std::vector<std::string>& notes, const std::string& label,
                  const RunContext& context) {
  if (context.repetitions < kFewRepetitions) {
    notes.push_back(
        fmt::format("{} has {} repetitions at least: an interval of few is little more "
                    "than their range",
                    label, context.repetitions));
  }
  if (!context.complete) notes.push_back(fmt::format("{} was ended before its last cell", label));
  for (const PreflightNote& one : context.preflight) {
    notes.push_back(fmt::format("{} has a warning, {}: {}", label, one.name, one.text));
  }
}

struct CellInFile {
  const CellResult* result;
  const RunCeilings* ceilings;
  std::string label;  // of the file
};
using CellOfSide = std::vector<CellInFile>;  // in the files of a side that have it

bool has_figure(const CellOfSide& side) {
  return !side.empty() && std::ranges::all_of(side, [](const CellInFile& one) {
    return median_ms(*one.result).value_or(0) > 0;
  });
}

using CellsByName = std::map<std::string, CellOfSide>;

CellsByName by_name(std::span<const SavedRun> runs, char side) {
  CellsByName cells;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    const SavedRun& run = runs[at];
    for (const CellResult& cell : run.cells) {
      CellOfSide& of = cells[cell.name()];
      // Two matrices of an experiment may have the same cell: the first counts.
      if (!of.empty() && of.back().ceilings == &run.context.ceilings) continue;
      of.push_back({&cell, &run.context.ceilings, side_label(side, at, runs.size())});
    }
  }
  return cells;
}

// The machine's least times for these bytes, in all rounds of the side's files. A program that
// reads more than before is not the machine's doing, so both sides' are of one side's bytes.
std::vector<double> best_possible_of(const CellOfSide& side, const CellResult& of_bytes) {
  std::vector<double> times;
  for (const CellInFile& one : side) {
    CellResult cell = *one.result;
    cell.bytes_read = of_bytes.bytes_read;
    cell.bytes_written = of_bytes.bytes_written;
    cell.device_bytes = of_bytes.device_bytes;
    const auto of_file = best_possible_of_rounds(cell, *one.ceilings);
    if (of_file.empty()) return {};
    times.insert(times.end(), of_file.begin(), of_file.end());
  }
  return times;
}

bool is_same_result(const CellOfSide& a, const CellOfSide& b) {
  std::optional<std::uint64_t> checksum;
  for (const CellOfSide* side : {&a, &b}) {
    for (const CellInFile& one : *side) {
      const auto& other = one.result->checksum;
      if (checksum && other && *checksum != *other) return false;
      if (other) checksum = other;
    }
  }
  return true;
}

std::vector<Samples> samples_of(const CellOfSide& side) {
  std::vector<Samples> samples;
  for (const CellInFile& one : side) samples.push_back(one.result->times());
  return samples;
}

void add_files(Comparison& comparison, std::span<const SavedRun> runs, char side) {
  for (std::size_t at = 0; at < runs.size(); ++at) {
    const RunContext& context = runs[at].context;
    const std::string label = side_label(side, at, runs.size());
    comparison.files.push_back({label, runs[at].file, context.commit, context.date});
    add_warnings(comparison.notes, label, context);
  }
}

std::optional<SideNoise> noise_of(const std::vector<ComparedCell>& cells,
                                  std::optional<double> Judgement::* side) {
  std::vector<double> noises;
  for (const ComparedCell& cell : cells) {
    if (cell.judged.*side) noises.push_back(*(cell.judged.*side));
  }
  if (noises.empty()) return std::nullopt;
  return SideNoise{median(noises), std::ranges::max(noises)};
}

// The cells that both sides have and their times; the others are named in the comparison.
struct Pairing {
  Comparison& comparison;
  MachinePart part;
  bool one_machine;
  std::vector<CellTimes> times;

  // Where two texts differ, the cell is counted beside them.
  bool is_one_query(const CellOfSide& a, const CellOfSide& b) {
    const CellResult& first = *a.front().result;
    for (const CellOfSide* side : {&a, &b}) {
      for (const CellInFile& one : *side) {
        if (one.result->text == first.text) continue;
        add_other_query({query_label(first.query),
                         {a.front().label, first.text},
                         {one.label, one.result->text}});
        return false;
      }
    }
    return true;
  }

  void add_other_query(OtherQuery found) {
    auto& all = comparison.other_queries;
    const auto known = std::ranges::find_if(all, [&](const OtherQuery& one) {
      return one.query == found.query && one.one.text == found.one.text &&
             one.other.text == found.other.text;
    });
    ++(known != all.end() ? *known : all.emplace_back(std::move(found))).cells;
  }

  void add(const std::string& name, const CellOfSide& a, const CellOfSide& b) {
    if (!is_one_query(a, b)) return;
    const bool same_result = is_same_result(a, b);
    if (!has_figure(a) || !has_figure(b)) {
      const char* const side = has_figure(a) ? "B" : has_figure(b) ? "A" : "both";
      comparison.no_figure.push_back(fmt::format("{}: no figure in {}", name, side));
      return;
    }
    const CellResult& first = *a.front().result;
    const auto machine = median_ratio({best_possible_of(b, first)}, {best_possible_of(a, first)});
    if (!machine && comparison.held_by == HeldBy::kCeiling) {
      comparison.no_figure.push_back(name + ": no ceiling");
      if (!same_result) ++comparison.different_results;
      return;
    }
    times.push_back({samples_of(a), samples_of(b), machine, part});
    // How much of its time is the host's is not known.
    if (first.emulated && part == MachinePart::kDivided) {
      times.back().part = one_machine ? MachinePart::kMayBe : MachinePart::kIgnored;
      ++comparison.not_divided;
    }
    ComparedCell& cell = comparison.cells.emplace_back();
    cell.name = name;
    cell.same_result = same_result;
    if (machine) cell.best_possible_ratio = machine->value;
  }
};

std::vector<std::string> names_in_order(std::span<const SavedRun> runs) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const SavedRun& run : runs) {
    for (const CellResult& cell : run.cells) {
      const std::string name = cell.name();
      if (known.insert(name).second) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      cells, [&](const ComparedCell& cell) { return cell.judged.verdict == verdict; }));
}

std::size_t Comparison::not_judged() const {
  std::size_t others = 0;
  for (const OtherQuery& other : other_queries) others += other.cells;
  return no_figure.size() + only_a.size() + only_b.size() + others + count(Verdict::kNotJudged);
}

std::string side_label(char side, std::size_t at, std::size_t files) {
  return files == 1 ? std::string(1, side) : fmt::format("{}{}", side, at + 1);
}

void judge_cells(Comparison& comparison, const std::vector<CellTimes>& times) {
  const auto judgements = judge(times, comparison.threshold_percent);
  std::vector<double> ratios;
  std::vector<double> least_ratios;
  for (std::size_t at = 0; at < judgements.size(); ++at) {
    ComparedCell& cell = comparison.cells[at];
    cell.judged = judgements[at];
    ratios.push_back(cell.judged.ratio.value);
    if (cell.best_possible_ratio) least_ratios.push_back(*cell.best_possible_ratio);
    comparison.regressions += cell.judged.regression ? 1 : 0;
    comparison.different_results += cell.same_result ? 0 : 1;
  }
  comparison.best_possible_cells = least_ratios.size();
  comparison.noise_a = noise_of(comparison.cells, &Judgement::noise_a);
  comparison.noise_b = noise_of(comparison.cells, &Judgement::noise_b);
  if (!least_ratios.empty()) comparison.best_possible_mean = geometric_mean(least_ratios);
  if (ratios.empty()) return;
  comparison.geometric_mean = geometric_mean(ratios);
  comparison.maximum = std::ranges::max(ratios);
}

Comparison compare(std::span<const SavedRun> a, std::span<const SavedRun> b,
                   double threshold_percent, HeldBy held_by) {
  Comparison comparison;
  comparison.held_by = held_by;
  comparison.threshold_percent = threshold_percent;
  comparison.files_of_a = a.size();
  comparison.files_of_b = b.size();
  const RunContext& first = a.front().context;
  bool one_machine = true;
  const auto hold_against_first = [&](std::span<const SavedRun> runs, char side) {
    for (std::size_t at = 0; at < runs.size(); ++at) {
      const bool is_usual = a.size() == 1 && b.size() == 1;
      const std::size_t skipped = side == 'A' ? 1 : 0;
      const std::string of =
          is_usual ? "" : side_label(side, at + skipped, runs.size() + skipped) + ", ";
      add_differences({comparison.notes, of}, first, runs[at].context);
      one_machine = one_machine && describe(first.host) == describe(runs[at].context.host);
    }
  };
  hold_against_first(a.subspan(1), 'A');
  hold_against_first(b, 'B');
  add_files(comparison, a, 'A');
  add_files(comparison, b, 'B');
  const MachinePart by_time = one_machine ? MachinePart::kMayBe : MachinePart::kIgnored;
  Pairing pairing{
      comparison, held_by == HeldBy::kCeiling ? MachinePart::kDivided : by_time, one_machine, {}};
  const CellsByName of_a = by_name(a, 'A');
  const CellsByName of_b = by_name(b, 'B');
  for (const std::string& name : names_in_order(a)) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      comparison.only_a.push_back(name);
    } else {
      pairing.add(name, of_a.at(name), other->second);
    }
  }
  for (const std::string& name : names_in_order(b)) {
    if (!of_a.contains(name)) comparison.only_b.push_back(name);
  }
  judge_cells(comparison, pairing.times);
  return comparison;
}

}  // namespace hdbench::bench

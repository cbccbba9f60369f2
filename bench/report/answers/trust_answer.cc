// What a reader should distrust in these cells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/model/column_places.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/quality.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/verdict.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {
namespace {

// "Q07, DRAM, flat, with p, mode 4.0, 2 threads".
std::string name_of(const ReportPivot& pivot, const ReportCell& cell) {
  return fmt::format("{}, {}, {}", pivot.label(cell.query),
                     pivot.column(pivot.column_of(cell)).label, block_text(pivot, block_of(cell)));
}

// "Q07, DRAM, flat, ...: 104 % of the read ceiling (the last-level caches ...); ...".
std::string named_cells(const ReportPivot& pivot,
                        const std::vector<std::pair<const ReportCell*, CellCeiling>>& cells) {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> named;
  for (const auto& [cell, ceiling] : cells) {
    if (named.size() == kNamed) {
      named.push_back(fmt::format("and {} more", cells.size() - kNamed));
      break;
    }
    named.push_back(name_of(pivot, *cell) + ": " + share_text(ceiling));
    if (!ceiling.reason.empty()) named.back() += fmt::format(" ({})", ceiling.reason);
  }
  return fmt::format("{}", fmt::join(named, "; "));
}

std::string ceilings_sentence(const ReportPivot& pivot, const TrustFigures& figures) {
  if (figures.known == 0) return "No cell has a ceiling, so none is known to be below it.";
  std::vector<std::string> sentences;
  if (!figures.above.empty()) {
    sentences.push_back(
        fmt::format("{} of {} figures are above the ceiling, which cannot be, and no evidence says "
                    "why. They are marked: {}.",
                    figures.above.size(), figures.known, named_cells(pivot, figures.above)));
  }
  if (!figures.explained.empty()) {
    sentences.push_back(fmt::format(
        "{} of {} figures are above the ceiling for a known reason: {}.", figures.explained.size(),
        figures.known, named_cells(pivot, figures.explained)));
  }
  if (sentences.empty())
    return fmt::format("None of the {} figures that have a ceiling is above it.", figures.known);
  return fmt::format("{}", fmt::join(sentences, " "));
}

// An emulation waits for its device on this machine's memory, so it cannot be faster than it.
// Those that are, by more than chance: of many cells some would be.
std::vector<std::string> faster_than_memory(const ReportPivot& pivot) {
  const auto is_wall = [](const ReportCell& cell) {
    return cell.result.emulated && cell.result.emulation_mode == EmulationMode::kWall &&
           cell.result.setting.cache == Cache::kWarm;
  };
  std::vector<std::pair<const ReportCell*, const ReportCell*>> pairs;  // emulated, in DRAM
  for (const ReportCell& cell : pivot.input().cells) {
    if (!is_wall(cell)) continue;
    for (const ReportCell& other : pivot.input().cells) {
      Setting setting = cell.result.setting;
      setting.medium = "dram";
      if (other.machine == cell.machine && other.dataset == cell.dataset &&
          other.query == cell.query && other.result.setting == setting)
        pairs.emplace_back(&cell, &other);
    }
  }
  std::vector<std::string> found;
  for (const auto& [emulated, dram] : pairs) {
    const auto ratio =
        median_ratio(dram->result.times(), emulated->result.times(), level_of_each(pairs.size()));
    if (!ratio || !ratio->interval || ratio->interval->low <= 1) continue;
    found.push_back(fmt::format("{}: {} as fast as DRAM", name_of(pivot, *emulated),
                                format_ratio(ratio->value)));
  }
  return found;
}

std::string width_sentence(const ReportPivot& pivot, const TrustFigures& figures) {
  if (figures.widest == nullptr) return "No cell was repeated, so there is no interval at all.";
  return fmt::format(
      "The widest interval is {} ({}).{}", plus_minus_text(figures.width),
      name_of(pivot, *figures.widest),
      figures.without > 0 ? fmt::format(" {} cells have none.", figures.without) : "");
}

// Empty where no cell is cached.
std::string cached_sentence(const ReportPivot& pivot) {
  std::size_t cached = 0;
  std::size_t timed = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    if (!median_ms(cell.result)) continue;
    ++timed;
    cached += pivot.is_cached(cell) ? 1 : 0;
  }
  if (cached == 0) return {};
  return fmt::format(
      "{} of {} figures are warm ones of cells that move {}: they are partly the "
      "caches', marked c and in no mean.",
      cached, timed, cached_text(pivot));
}

std::string emulated_sentence(const ReportPivot& pivot) {
  std::vector<std::string> emulations;
  for (const ReportColumn& column : pivot.columns()) {
    if (column.emulated)
      add_once(emulations, medium_title(column.setting.medium) + " (" + column.emulation + ")");
  }
  if (emulations.empty()) return "No medium is emulated.";
  return "Emulated, not measured: " + listed(emulations) + ".";
}

// What the emulator of each tier here was checked against.
std::vector<std::string> accuracy_sentences(const ReportPivot& pivot) {
  std::vector<std::string> kinds;
  const auto add = [&](const std::string& medium) {
    add_once(kinds, medium.substr(0, medium.find(':')));
  };
  for (const ReportColumn& column : pivot.columns()) {
    if (!column.emulated) continue;
    add(column.setting.medium);
    if (!column.setting.results.empty()) add(column.setting.results);
    if (!column.setting.spill.empty()) add(column.setting.spill);
    for (const ColumnPlace& place : places_of_text(column.setting.place)) add(place.medium);
  }
  std::vector<std::string> sentences;
  for (const std::string& kind : kinds) {
    for (const EmulatorAccuracy& one : kEmulatorAccuracy) {
      if (one.medium != kind) continue;
      sentences.push_back(
          one.worst == "-" ? fmt::format("The emulator of {} was {}.", one.device, one.against)
                           : fmt::format("The emulator of a {} was off by {} at worst, beside {}.",
                                         one.device, one.worst, one.against));
    }
  }
  return sentences;
}

}  // namespace

Answer trust_answer(const ReportPivot& pivot) {
  const TrustFigures figures = trust_figures(pivot);
  const ReportInput& input = pivot.input();
  Answer answer{"Which figures should I distrust?",
                {},
                {width_sentence(pivot, figures), emulated_sentence(pivot),
                 ceilings_sentence(pivot, figures)}};
  if (std::string cached = cached_sentence(pivot); !cached.empty())
    answer.sentences.push_back(std::move(cached));
  for (std::string& sentence : accuracy_sentences(pivot))
    answer.sentences.push_back(std::move(sentence));
  std::vector<std::string> others;
  for (const std::string& cell : faster_than_memory(pivot))
    others.push_back("Emulated on memory, yet faster than it, which cannot be: " + cell + ".");
  for (const std::string& conflict : input.conflicts)
    others.push_back("Results differ between files: " + conflict + ".");
  for (const SavedRun& run : input.runs) {
    if (!run.context.complete) others.push_back(run.file + ": the run ended before its last cell.");
    for (const PreflightNote& note : run.context.preflight)
      others.push_back(fmt::format("{}: {}", run.file, note.text));
  }
  answer.sentences.insert(answer.sentences.end(), others.begin(), others.end());
  for (const std::string& note : input.notes) answer.sentences.push_back(note);
  if (input.machines.size() > 1) {
    answer.sentences.push_back(
        "The cells are of several machines: ratios are within each machine only.");
  }
  if (figures.above.empty() && others.empty()) {
    return answer.with(
        "None is known to be impossible; the widest interval and what is emulated are below.");
  }
  const std::string above =
      figures.known == 0 ? "No figure has a ceiling."
                         : fmt::format("{} of {} figures are above what the machine can do{}.",
                                       figures.above.size(), figures.known,
                                       figures.above.empty() ? "" : ", and marked");
  return answer.with(fmt::format("{} {} other warning{}.", above,
                                 others.empty() ? "No" : std::to_string(others.size()),
                                 others.size() == 1 ? "" : "s"));
}

}  // namespace hdbench::bench

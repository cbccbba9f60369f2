// What a reader should distrust in these cells.
#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"

namespace hdbench {
namespace {

// "Q07, DRAM, flat, with p, mode 4.0, 2 threads".
std::string name_of(const ReportPivot& pivot, const ReportCell& cell) {
  return fmt::format("{}, {}, {}", pivot.input().queries[cell.query].label,
                     pivot.columns()[pivot.column_of(cell)].label,
                     block_text(pivot, block_of(cell)));
}

struct Ceilings {
  std::vector<std::string> above;
  std::size_t known = 0;
};

Ceilings ceilings_of(const ReportPivot& pivot) {
  Ceilings found;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto ceiling = pivot.ceiling(cell);
    if (!ceiling.ok()) continue;
    ++found.known;
    if (!ceiling->above()) continue;
    found.above.push_back(fmt::format("{}: {:.0f} % of the {} ceiling", name_of(pivot, cell),
                                      ceiling->percent, word(ceiling->kind)));
  }
  return found;
}

std::string ceilings_sentence(const Ceilings& ceilings) {
  if (ceilings.known == 0) return "No cell has a ceiling, so none is known to be below it.";
  if (ceilings.above.empty()) {
    return fmt::format("None of the {} figures that have a ceiling is above it.", ceilings.known);
  }
  return fmt::format(
      "{} of {} figures are above the ceiling, which cannot be: bytes came from a cache, or the "
      "memory was slower when the ceiling was measured. They are marked: ",
      ceilings.above.size(), ceilings.known);
}

// An emulation waits for its device on this machine's memory, so it cannot be faster than it.
// Those that are, by more than chance: of many cells some would be.
std::vector<std::string> faster_than_memory(const ReportPivot& pivot) {
  const auto is_wall = [](const ReportCell& cell) {
    return cell.result.emulated && cell.result.emulation_mode == EmulationMode::kWall &&
           cell.result.setting.cache == Cache::kWarm;
  };
  struct Pair {
    const ReportCell* emulated;
    const ReportCell* dram;
  };
  std::vector<Pair> pairs;
  for (const ReportCell& cell : pivot.input().cells) {
    if (!is_wall(cell)) continue;
    for (const ReportCell& other : pivot.input().cells) {
      Setting setting = cell.result.setting;
      setting.medium = "dram";
      if (other.machine == cell.machine && other.dataset == cell.dataset &&
          other.query == cell.query && other.result.setting == setting)
        pairs.push_back({&cell, &other});
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

std::string width_sentence(const ReportPivot& pivot) {
  const ReportCell* widest = nullptr;
  double width = 0;
  std::size_t without = 0;
  for (const ReportCell& cell : pivot.input().cells) {
    if (!cell.result.rows_out) continue;
    const auto interval = pivot.interval(cell);
    const double ms = median_ms(cell.result).value_or(0);
    const auto half = interval && ms > 0
                          ? std::optional((interval->high - interval->low) / (2 * ms))
                          : std::nullopt;
    without += half ? 0 : 1;
    if (!half || (widest != nullptr && *half <= width)) continue;
    width = *half;
    widest = &cell;
  }
  if (widest == nullptr) return "No cell was repeated, so there is no interval at all.";
  std::string text =
      fmt::format("The widest interval is +-{:.0f} % ({}).", 100 * width, name_of(pivot, *widest));
  if (without > 0) text += fmt::format(" {} cells have none.", without);
  return text;
}

std::string emulated_sentence(const ReportPivot& pivot) {
  std::vector<std::string> emulations;
  for (const ReportColumn& column : pivot.columns()) {
    if (!column.emulated) continue;
    const std::string text = medium_title(column.medium) + " (" + column.emulation + ")";
    if (std::find(emulations.begin(), emulations.end(), text) == emulations.end()) {
      emulations.push_back(text);
    }
  }
  if (emulations.empty()) return "No medium is emulated.";
  return "Emulated, not measured: " + listed(emulations) + ".";
}

}  // namespace

Answer trust_answer(const ReportPivot& pivot) {
  Answer answer{"Which figures should I distrust?", {}, {}};
  const Ceilings ceilings = ceilings_of(pivot);
  const ReportInput& input = pivot.input();
  answer.sentences = {width_sentence(pivot), emulated_sentence(pivot)};
  std::string above = ceilings_sentence(ceilings);
  constexpr std::size_t kNamed = 10;
  for (std::size_t i = 0; i < std::min(kNamed, ceilings.above.size()); ++i) {
    above += (i == 0 ? "" : "; ") + ceilings.above[i];
  }
  if (ceilings.above.size() > kNamed) {
    above += fmt::format("; and {} more", ceilings.above.size() - kNamed);
  }
  answer.sentences.push_back(above + (ceilings.above.empty() ? "" : "."));
  std::size_t others = 0;
  for (const std::string& cell : faster_than_memory(pivot)) {
    answer.sentences.push_back("Emulated on memory, yet faster than it, which cannot be: " + cell +
                               ".");
    ++others;
  }
  for (const std::string& conflict : input.conflicts) {
    answer.sentences.push_back("Results differ between files: " + conflict + ".");
    ++others;
  }
  for (const SavedRun& run : input.runs) {
    if (!run.context.complete) {
      answer.sentences.push_back(run.file + ": the run ended before its last cell.");
      ++others;
    }
    for (const PreflightNote& note : run.context.preflight) {
      answer.sentences.push_back(fmt::format("{}: {}", run.file, note.text));
      ++others;
    }
  }
  for (const std::string& note : input.notes) answer.sentences.push_back(note);
  if (input.machines.size() > 1) {
    answer.sentences.push_back(
        "The cells are of several machines: ratios are within each machine only.");
  }
  if (ceilings.above.empty() && others == 0) {
    answer.summary =
        "None is known to be impossible; the widest interval and what is emulated are below.";
  } else {
    const std::string above_all =
        ceilings.known == 0 ? "No figure has a ceiling."
                            : fmt::format("{} of {} figures are above what the machine can do{}.",
                                          ceilings.above.size(), ceilings.known,
                                          ceilings.above.empty() ? "" : ", and marked");
    answer.summary =
        fmt::format("{} {} other warning{}.", above_all,
                    others == 0 ? "No" : std::to_string(others), others == 1 ? "" : "s");
  }
  return answer;
}

}  // namespace hdbench

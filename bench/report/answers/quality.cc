#include "bench/report/answers/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "bench/base/lines.h"
#include "bench/machine/other_load.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

bool is_doubted(std::size_t count, std::size_t of) {
  return static_cast<double>(count) > kDoubtedShare * static_cast<double>(of);
}

std::string share_of(std::size_t count, std::size_t of) {
  return fmt::format("{} of {} ({:.0f} %)", count, of,
                     100 * static_cast<double>(count) / static_cast<double>(of));
}

std::optional<Doubt> ceiling_doubt(const TrustFigures& figures) {
  if (!is_doubted(figures.above.size(), figures.known)) return std::nullopt;
  return Doubt{fmt::format("{} figures that have a ceiling are above it, which cannot be.",
                           share_of(figures.above.size(), figures.known)),
               "Run it again on an idle machine, and report it where they stay: neither caches nor "
               "a quota nor the spread of the ceiling account for them."};
}

// The most of all runs.
std::optional<Doubt> load_doubt(const ReportPivot& pivot) {
  double most = 0;
  for (const SavedRun& run : pivot.input().runs) {
    for (const PreflightNote& note : run.context.preflight) {
      if (note.name == OtherLoad::kNoteName) most = std::max(most, note.percent.value_or(0));
    }
  }
  if (!(most > 100 * kDoubtedShare)) return std::nullopt;
  return Doubt{
      fmt::format("Other work or a hypervisor took {:.0f} % of the CPUs while queries were "
                  "timed.",
                  most),
      "Stop what else runs (`top` names it), or give hdbench CPUs of its own, and run it "
      "again."};
}

std::optional<Doubt> interval_doubt(const TrustFigures& figures) {
  if (!figures.is_primary_wide && !is_doubted(figures.wide, figures.judged)) return std::nullopt;
  return Doubt{fmt::format("{} intervals are wider than +-{:.0f} % of their median.",
                           share_of(figures.wide, figures.judged), 100 * kDoubtedWidth),
               "Run it with more repetitions (--precision 5 --reps-most 50), or with five visits "
               "where it had two or three."};
}

// Its first clauses: the text of a note may go on to how to mend it. Not cut within parentheses.
std::string first_clauses(const std::string& text) {
  constexpr std::size_t kLongest = 170;
  constexpr std::string_view kClauseEnds[] = {": ", "; ", ". ", " ("};
  if (text.size() <= kLongest) return text;
  std::size_t end = 0;
  int open = 0;
  for (std::size_t at = 0; at <= kLongest; ++at) {
    const bool is_end = std::ranges::any_of(kClauseEnds, [&](std::string_view mark) {
      return std::string_view(text).substr(at).starts_with(mark);
    });
    if (open == 0 && is_end) end = at;
    open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  }
  return end == 0 ? text : text.substr(0, end);
}

void add_sentence(std::vector<std::string>& caveats, std::string text) {
  if (text.empty()) return;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.') text += '.';
  add_once(caveats, text);
}

void add_notes(const ReportPivot& pivot, bool is_load, std::vector<std::string>& caveats) {
  for (const SavedRun& run : pivot.input().runs) {
    const auto& notes = run.context.preflight;
    const bool is_known_later = std::any_of(notes.begin(), notes.end(), [](const auto& note) {
      return note.name == OtherLoad::kNoteName;
    });
    for (const PreflightNote& note : notes) {
      const bool is_first_look = note.name == "load";
      const bool is_about_load = is_first_look || note.name == OtherLoad::kNoteName;
      if (is_about_load != is_load || (is_first_look && is_known_later)) continue;
      add_sentence(caveats, first_clauses(note.text));
    }
  }
}

void add_widths(const TrustFigures& figures, std::vector<std::string>& caveats) {
  if (figures.widest == nullptr) {
    add_sentence(caveats, "no cell was repeated, so there is no interval (--reps 5)");
  } else if (figures.wide > 0) {
    add_sentence(
        caveats,
        fmt::format("{} of {} intervals are wider than +-{:.0f} % (the widest: {})", figures.wide,
                    figures.judged, 100 * kDoubtedWidth, plus_minus_text(figures.judged_width)));
  }
}

void add_emulated(const ReportPivot& pivot, std::vector<std::string>& caveats) {
  std::vector<std::string> media;
  for (const ReportColumn& column : pivot.columns()) {
    if (!column.emulated) continue;
    const std::string& place = column.setting.place;
    const std::string& medium = column.setting.medium;
    // Their profiles are in the sentence and the table.
    add_once(media, place.empty() ? medium_title(medium.substr(0, medium.find(':'))) : place);
  }
  if (media.empty()) return;
  add_sentence(caveats, fmt::format("{} {} emulated from a device's profile, not measured",
                                    listed(media), media.size() == 1 ? "is" : "are"));
}

}  // namespace

TrustFigures trust_figures(const ReportPivot& pivot) {
  TrustFigures figures;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto ceiling = pivot.ceiling(cell);
    figures.known += ceiling.ok() ? 1 : 0;
    if (ceiling.ok() && ceiling->is_above)
      (ceiling->above() ? figures.above : figures.explained).emplace_back(&cell, *ceiling);
    const auto width = pivot.half_width(cell);
    figures.without += cell.result.rows_out && !width ? 1 : 0;
    if (!width) continue;
    if (figures.widest == nullptr || *width > figures.width) {
      figures.width = *width;
      figures.widest = &cell;
    }
    if (pivot.is_cached(cell)) continue;
    ++figures.judged;
    figures.judged_width = std::max(figures.judged_width, *width);
    if (*width <= kDoubtedWidth) continue;
    ++figures.wide;
    figures.is_primary_wide = figures.is_primary_wide || block_of(cell) == pivot.primary();
  }
  return figures;
}

std::vector<Doubt> doubts(const ReportPivot& pivot) {
  std::vector<Doubt> found;
  const TrustFigures figures = trust_figures(pivot);
  for (const auto& doubt : {ceiling_doubt(figures), load_doubt(pivot), interval_doubt(figures)}) {
    if (doubt) found.push_back(*doubt);
  }
  return found;
}

std::vector<std::string> gravest_caveats(const ReportPivot& pivot, std::size_t most) {
  std::vector<std::string> caveats;
  const TrustFigures figures = trust_figures(pivot);
  for (const std::string& conflict : pivot.input().conflicts)
    add_sentence(caveats, "results differ between files: " + conflict);
  if (!figures.above.empty()) {
    add_sentence(caveats, fmt::format("{} of {} figures are above what the machine can do, so they "
                                      "cannot be: they are marked and left out of the means",
                                      figures.above.size(), figures.known));
  }
  for (const SavedRun& run : pivot.input().runs) {
    if (!run.context.complete) add_sentence(caveats, run.file + ": it ended before its last cell");
  }
  add_widths(figures, caveats);
  add_notes(pivot, true, caveats);
  add_emulated(pivot, caveats);
  if (pivot.input().machines.size() > 1)
    add_sentence(caveats, "several machines' cells: ratios are within each machine only");
  add_notes(pivot, false, caveats);
  if (caveats.size() > most) caveats.resize(most);
  return caveats;
}

}  // namespace hdbench::bench

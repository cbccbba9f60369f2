#include "bench/report/answers/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/machine/other_load.h"
#include "bench/report/answers/answers.h"

namespace hdbench::bench {
namespace {

bool is_doubted(std::size_t count, std::size_t of) {
  return static_cast<double>(count) > kDoubtedShare * static_cast<double>(of);
}

std::string share_of(std::size_t count, std::size_t of) {
  return fmt::format("{} of {} ({:.0f} %)", count, of,
                     100 * static_cast<double>(count) / static_cast<double>(of));
}

std::optional<Doubt> ceiling_doubt(const ReportPivot& pivot) {
  const TrustFigures figures = trust_figures(pivot);
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

std::optional<Doubt> interval_doubt(const ReportPivot& pivot) {
  std::size_t wide = 0;
  std::size_t all = 0;
  bool is_primary = false;
  for (const ReportCell& cell : pivot.input().cells) {
    const auto width = pivot.half_width(cell);
    if (!width || pivot.is_cached(cell)) continue;
    ++all;
    if (*width <= kDoubtedWidth) continue;
    ++wide;
    is_primary = is_primary || block_of(cell) == pivot.primary();
  }
  if (!is_primary && !is_doubted(wide, all)) return std::nullopt;
  return Doubt{fmt::format("{} intervals are wider than +-{:.0f} % of their median.",
                           share_of(wide, all), 100 * kDoubtedWidth),
               "Run it with more repetitions (--precision 5 --reps-most 50), or with five visits "
               "where it had two or three."};
}

}  // namespace

std::vector<Doubt> doubts(const ReportPivot& pivot) {
  std::vector<Doubt> found;
  for (const auto& doubt : {ceiling_doubt(pivot), load_doubt(pivot), interval_doubt(pivot)}) {
    if (doubt) found.push_back(*doubt);
  }
  return found;
}

}  // namespace hdbench::bench

#include <fmt/format.h>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/users_view.h"

namespace hdbench::bench {
namespace {

std::string time_of(const std::optional<LatencyFigure>& figure) {
  return figure ? format_ms(figure->ms) : "-";
}

std::string users_row(const UsersCell& cell, const TextLook& look) {
  if (const std::string reason = users_reason(cell); !reason.empty())
    return folded(fmt::format("{:>9}  {}", users_text(cell), reason), look.columns, "           ");
  return line_of(fmt::format("{:>9}{:>9.4g}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>6.2f}{:>7.2f}",
                             users_text(cell), cell.per_s, time_of(cell.p50), time_of(cell.p90),
                             time_of(cell.p99), time_of(cell.p999), format_ms(cell.max_ms),
                             format_ms(cell.queued_ms), cell.cpus, cell.gb_per_s));
}

}  // namespace

std::string users_part(const ReportInput& input, const TextLook& look) {
  const std::vector<UsersLine> lines = users_lines(input);
  if (lines.empty() && input.goals.empty()) return {};
  const auto folded_line = [&](const std::string& one) { return folded(one, look.columns, "  "); };
  std::string text;
  if (!lines.empty())
    text = folded_line(
        "Several users: ms from asking to the whole answer, by how many ask at once or arrive a "
        "second; queued: the mean time before a process began; CPUs and GB/s: what all processes "
        "used.");
  for (const UsersLine& line : lines) {
    text += look.tinted(folded_line(line.label), Tint::kStrong);
    text +=
        line_of(fmt::format("{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>6}{:>7}", "", "answers/s",
                            "p50", "p90", "p99", "p99.9", "max", "queued", "CPUs", "GB/s"));
    for (const UsersCell* cell : line.cells) text += users_row(*cell, look);
    if (line.saturation) text += folded_line("  " + saturation_text(*line.saturation) + ".");
    for (const UsersCell* cell : line.cells) {
      if (cell->died == 0) continue;
      text += folded_line(fmt::format(
          "  {}: {} died and {} lost.", users_text(*cell),
          cell->died == 1 ? "1 process" : fmt::format("{} processes", cell->died),
          cell->lost == 1 ? "1 query was" : fmt::format("{} queries were", cell->lost)));
    }
  }
  if (const std::string law = littles_text(lines); !law.empty()) text += folded_line(law);
  for (const std::string& line : goal_lines(input)) text += folded_line(line);
  return text + "\n";
}

}  // namespace hdbench::bench

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/thread_view.h"

namespace hdbench::bench {
namespace {

// Speed-ups from the group's count `first` on.
TextRows thread_rows(const ReportPivot& pivot, const ThreadGroup& group, std::size_t first) {
  TextRows rows{{"query"}};
  for (std::size_t i = first; i < group.threads.size(); ++i)
    rows.front().push_back(threads_text(group.threads[i]));
  rows.front().insert(rows.front().end(),
                      {"enough", "what binds at " + threads_text(group.threads.back())});
  for (const ThreadLine& line : group.lines) {
    rows.push_back({pivot.label(line.query)});
    for (std::size_t i = first; i < line.points.size(); ++i)
      rows.back().push_back(speedup_text(line.points[i]));
    rows.back().push_back(line.enough ? std::to_string(*line.enough) : "-");
    rows.back().push_back(line.binding_text);
  }
  return rows;
}

// Without the counts in the middle where lines are too long.
std::string thread_table(const ReportPivot& pivot, const ThreadGroup& group, std::size_t width) {
  std::string whole = aligned(thread_rows(pivot, group, 1), 1);
  if (whole.find('\n') <= width) return whole;
  return aligned(thread_rows(pivot, group, group.threads.size() - 1), 1);
}

}  // namespace

std::string thread_text(const ReportPivot& pivot, std::size_t width) {
  std::string text;
  for (const ThreadGroup& group : thread_groups(pivot)) {
    text += "\n" + folded(fmt::format("threads, {}: speed-up over {} and efficiency; enough: every "
                                      "greater count gains 5 % at most, by its whole interval",
                                      group.label, threads_text(group.threads.front())),
                          width, "  ");
    text += thread_table(pivot, group, width);
    std::vector<std::string> laws;
    for (const ThreadLine& line : group.lines)
      laws.push_back(pivot.label(line.query) + " " + law_text(line));
    text += folded(fmt::format("law: {}", fmt::join(laws, "; ")), width, "  ");
  }
  return text;
}

}  // namespace hdbench::bench

#include <fmt/format.h>

#include "bench/base/number_text.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/users_view.h"

namespace hdbench::bench {
namespace {

HtmlCell latency_html(const std::optional<LatencyFigure>& figure) {
  if (!figure) return html_none("too few");
  std::string html = fmt::format("<b>{}</b>", format_ms(figure->ms));
  if (figure->interval)
    html += fmt::format("<small class=\"range\">{}</small>", interval_text(*figure->interval));
  return html;
}

std::string users_table(const UsersLine& line) {
  HtmlTable table{
      line.label + ": ms and 95 % interval",
      {"users", "answers/s", "p50", "p90", "p99", "p99.9", "max", "queued", "CPUs", "GB/s"}};
  for (const UsersCell* cell : line.cells) {
    std::vector<HtmlCell> row{html_escaped(users_text(*cell))};
    if (const std::string reason = users_reason(*cell); !reason.empty()) {
      row.emplace_back(html_none(reason), "text");
      row.resize(table.header.size(), HtmlCell(""));
      table.rows.push_back(std::move(row));
      continue;
    }
    row.emplace_back(fmt::format("{:.4g}", cell->per_s));
    for (const auto* figure : {&cell->p50, &cell->p90, &cell->p99, &cell->p999})
      row.push_back(latency_html(*figure));
    row.emplace_back(format_ms(cell->max_ms));
    row.emplace_back(format_ms(cell->queued_ms));
    row.emplace_back(fmt::format("{:.2f}", cell->cpus));
    row.emplace_back(fmt::format("{:.2f}", cell->gb_per_s));
    table.rows.push_back(std::move(row));
  }
  return to_html(table);
}

}  // namespace

std::string users_section(const ReportPivot& pivot) {
  const auto lines = users_lines(pivot.input());
  if (lines.empty()) return {};
  std::string html =
      "<section id=\"users\">\n<h2>Several users</h2>\n"
      "<p>How long a user waits for an answer, over how many answers a second the pool of "
      "processes "
      "gives: a line a medium and pool, solid the median, dashed p99; its points are numbers of "
      "users, or of queries that arrive a second. Time counts from the moment at which the query "
      "was to be asked, so that waiting in the queue is in it. Where a line turns upwards, more "
      "users only wait longer.</p>\n<figure class=\"chart wide\">\n";
  html += html_canvas("chart-users", "Latency over throughput, both on log scales.");
  std::vector<std::string> facts;
  std::string tables;
  for (const UsersLine& line : lines) {
    tables += users_table(line);
    if (line.saturation)
      facts.push_back(fmt::format("{}: {}.", line.label, saturation_text(*line.saturation)));
  }
  html += html_figures(tables) + "</figure>\n";
  if (const std::string law = littles_text(lines); !law.empty()) facts.push_back(law);
  html += html_list(facts);
  return html + "</section>\n";
}

}  // namespace hdbench::bench

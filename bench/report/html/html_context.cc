#include <fmt/format.h>

#include <set>

#include "bench/base/number_text.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/published/published.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/machine_view.h"

namespace hdbench::bench {
namespace {

void add(HtmlTable& table, const std::string& what, const std::string& value) {
  if (value.empty()) return;
  table.rows.push_back({html_escaped(what), html_escaped(value)});
}

void add_datasets(HtmlTable& table, const RunContext& context) {
  for (const DatasetContext& dataset : context.datasets) {
    std::string rows;
    for (const auto& [name, count] : dataset.table_rows)
      rows += fmt::format("; {} {} rows", name, with_commas(count));
    add(table, dataset.name.empty() ? "database" : "database " + dataset.name,
        fmt::format("{}: {} partitions{}", dataset.database, dataset.partitions, rows));
  }
}

std::string run_html(const SavedRun& saved) {
  const RunContext& context = saved.context;
  HtmlTable table{saved.file, {"what", {"value", "text"}}};
  add(table, "machine", describe(context.host));
  add(table, "host", context.host.host_name);
  add(table, "kernel", context.host.kernel);
  add(table, "date", context.date);
  add(table, "hdbench",
      fmt::format("{} ({}, {})", context.version, context.commit, context.build_type));
  add(table, "experiment", context.experiment);
  add_datasets(table, context);
  add(table, "queries", context.query_file);
  add(table, "repetitions", std::to_string(context.repetitions));
  if (context.visits > 1) {
    add(table, "visits",
        fmt::format("{}: each medium and layout was loaded anew for each, and intervals hold what "
                    "lies between them",
                    context.visits));
  }
  add(table, "results lie in", context.result_medium);
  if (context.elapsed_s) add(table, "took", time_text(1000 * *context.elapsed_s));
  for (const std::string& line : context.codes_saved) add(table, "narrow codes", line);
  for (const std::string& line : context.host_limits) add(table, "host limit", line);
  for (const std::string& line : context.left_out) add(table, "not run", line);
  for (const PreflightNote& note : context.preflight) add(table, note.name, note.text);
  return fmt::format("<p>To reproduce {}:</p>\n<pre tabindex=\"0\">{}</pre>\n",
                     html_escaped(saved.file), html_escaped(context.command)) +
         html_details("The machine and the run", to_html(table));
}

std::string media_table(const ReportPivot& pivot) {
  HtmlTable table{"The media", {"medium", {"real or emulated", "text"}, {"what it is", "text"}}};
  std::set<std::string> seen;
  for (const ReportCell& cell : pivot.input().cells) {
    const ReportColumn& column = pivot.column(pivot.column_of(cell));
    const std::string kind = column.emulated ? column.emulation : "real";
    const std::string title = medium_title(column.setting.medium);
    if (!seen.insert(title + kind + cell.result.medium_label).second) continue;
    table.rows.push_back({html_escaped(title),
                          {html_escaped(kind), column.emulated ? "text emulated" : "text"},
                          html_escaped(cell.result.medium_label)});
  }
  return to_html(table);
}

}  // namespace

std::string published_section(const ReportPivot& pivot) {
  std::string html =
      "<section id=\"published\">\n<h2>Beside the published figures</h2>\n"
      "<p>The study: \"Top tier bank achieves nearly 10x speed improvement using Kx kdb+ v4.0 and "
      "Optane Memory\", Kx, 29 May 2020. Its engine is kdb+ and its machine another one: its times "
      "are context for these, not a target.</p>\n";
  HtmlTable times{"The times that the study prints",
                  {"what", {"published", "text"}, {"here", "text"}}};
  for (const auto& [what, published, here] : compare_times(pivot)) {
    times.rows.push_back({html_escaped(what), html_escaped(published), html_escaped(here)});
  }
  times.rows.push_back({"Over the 1.9 TB set, in memory against NVMe",
                        "up to 3x; almost 10x at best", "see the verdict"});
  const std::string counts =
      "<p>The study's row counts do not follow from its queries as printed; they do if a date "
      "range is read as its two end dates. hdbench carries both readings: paper.q and "
      "paper-counted.q (docs/paper.md).</p>\n" +
      html_list(count_sentences(pivot));
  return html + to_html(times) +
         html_details("The row counts: as printed against as counted", counts) + "</section>\n";
}

std::string machines_section(const ReportPivot& pivot) {
  const ViewTable view = machines_view(pivot.input());
  if (view.rows.empty()) return {};
  HtmlTable table = html_table(view);
  for (std::size_t i = 1; i < table.header.size(); ++i)
    table.header[i].html =
        fmt::format("<span data-machine=\"{}\">{}</span>", i - 1, table.header[i].html);
  return "<section id=\"machines\">\n<h2>Machines</h2>\n<form class=\"switches\" "
         "id=\"machine-switches\" aria-label=\"Which machines the page shows\"></form>\n" +
         to_html(table) + "</section>\n";
}

std::string context_section(const ReportPivot& pivot) {
  std::string html =
      "<section id=\"context\">\n<h2>Machine, media, how to reproduce</h2>\n" + media_table(pivot);
  for (const SavedRun& run : pivot.input().runs) html += run_html(run);
  return html + "</section>\n";
}

}  // namespace hdbench::bench

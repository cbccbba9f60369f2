#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "bench/report/answers/answers.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/published/published.h"
#include "bench/report/views/figure_text.h"
#include "bench/report/views/peer_view.h"
#include "bench/report/views/verdict.h"

namespace hdbench::bench {
namespace {

std::string column_header(const ReportPivot& pivot, std::size_t column, const ReportBlock& block) {
  const ReportColumn& where = pivot.column(column);
  std::string html = html_column(where, where.reference == column);
  if (pivot.stands_in(block, column)) html += "<small class=\"tag\">no p in this layout</small>";
  return html;
}

// A mark, as it is shown and what it means.
struct HtmlMark {
  char mark;
  const char* sign;
  std::string meaning;
};

const std::vector<HtmlMark>& html_marks() {
  static const std::vector<HtmlMark> marks = {
      {kSameMark, "&approx;", "the ratio's whole interval lies within 10 % of 1"},
      {kUnsaidMark, "?", "it holds 1 and is wider: no difference could be shown"},
      {kAboveMark, "!", "above the ceiling, which cannot be; in no mean"},
      {kCachedMark, "c",
       fmt::format("the cell moves less than {} times the last-level caches; in no mean",
                   kCachesOfData)}};
  return marks;
}

std::string mark_html(char mark) {
  for (const HtmlMark& one : html_marks()) {
    if (one.mark != mark) continue;
    return fmt::format("<abbr{} title=\"{}\">{}</abbr>",
                       mark == kAboveMark ? " class=\"flag\"" : "", one.meaning, one.sign);
  }
  return {};
}

std::string legend_html(const TableMarks& marks) {
  std::string html;
  for (const HtmlMark& one : html_marks()) {
    if (marks.has(one.mark)) html += fmt::format(" <b>{}</b>: {}.", one.sign, one.meaning);
  }
  return html;
}

HtmlCell figure_cell(const VerdictCell& cell, TableMarks& marks) {
  std::string beside;
  std::string classes = "n";
  const char mark = marks.of(cell);
  const bool is_of_cell = mark == kAboveMark || mark == kCachedMark;
  if (cell.gain) {
    beside = fmt::format("<span class=\"ratio\">{}{}</span>", is_of_cell ? "" : mark_html(mark),
                         format_ratio(cell.gain->value));
    if (cell.gain->is_different() && !cell.is_cached)
      classes += cell.gain->value > 1 ? " faster" : " slower";
  }
  if (is_of_cell) beside += mark_html(mark);
  if (cell.is_above_ceiling) classes += " flagged";
  return {html_time(cell, beside), std::move(classes)};
}

HtmlCell mean_cell(const PairMean& mean) {
  const auto gain = mean.ratio();
  std::string html;
  if (gain) html = fmt::format("<span class=\"ratio\">{}</span>", format_ratio(gain->value));
  if (mean.left_out() > 0) {
    html += fmt::format("<abbr class=\"flag\" title=\"left out: {}\">{} of {}</abbr>",
                        mean.left_out_text(), mean.queries.size(), mean.pairs());
  }
  if (gain) {
    html += fmt::format("<small class=\"range\">{} to {}</small>",
                        format_ratio(gain->interval->low), format_ratio(gain->interval->high));
  }
  return html;
}

// "Q07", and its name, with its text and more HTML folded below.
HtmlCell query_cell(const ReportQuery& query, const std::string& more = "") {
  return fmt::format("<details class=\"query\"><summary>{}{}</summary><code>{}</code>{}</details>",
                     html_escaped(query.label),
                     query.name.empty()
                         ? ""
                         : fmt::format("<span class=\"name\">{}</span>", html_escaped(query.name)),
                     html_escaped(query.text), more);
}

std::string table_html(const ReportPivot& pivot, const VerdictTable& table, TableMarks& marks) {
  HtmlTable html{
      "Times in ms, and how many times as fast as the reference: " + block_text(pivot, table.block),
      {{"query", "text"}, "rows"}};
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    html.header.push_back(column_header(pivot, table.columns[i], table.block));
  for (const VerdictRow& row : table.rows) {
    std::vector<HtmlCell> cells{query_cell(pivot.input().queries[row.query]), {row.rows, "n rows"}};
    for (const VerdictCell& cell : row.cells) cells.push_back(figure_cell(cell, marks));
    html.rows.push_back(std::move(cells));
  }
  if (table.columns.size() > 1 && table.rows.size() > 1) {
    std::vector<HtmlCell> cells{"<span class=\"mean\">Geometric mean</span>", {"", "n rows"}};
    for (const PairMean& mean : table.means) cells.push_back(mean_cell(mean));
    html.rows.push_back(std::move(cells));
  }
  std::string text =
      "<div class=\"verdict\">\n<label class=\"switch\"><input type=\"checkbox\" "
      "class=\"show-ranges\"> 95 % intervals in the table</label>\n" +
      to_html(html) + "</div>\n";
  if (!table.reasons.empty())
    text += "<p><b>0N</b>: a query that gave no result.</p>\n" + html_list(table.reasons);
  return text;
}

HtmlCell peer_cell(const PeerFigure& figure) {
  if (figure.cell == nullptr) return html_none("not run");
  if (!figure.ms) {
    return fmt::format("<b class=\"null\">none</b><small>{}</small>",
                       html_escaped(figure.cell->result.error.value_or("no result")));
  }
  std::string html = fmt::format("<b>{}</b>", format_ms(*figure.ms));
  if (figure.times_hdbench) {
    html += fmt::format("<span class=\"ratio\">{} hdbench's time{}</span>",
                        format_ratio(figure.times_hdbench->value),
                        figure.times_hdbench->is_same() ? ", same" : "");
  }
  if (const auto& unread = figure.cell->result.peer->unread)
    html += fmt::format("<small>not compared: answers from {}</small>", html_escaped(*unread));
  return html;
}

// What each engine ran.
std::string peer_forms(const PeerTable& peers, const PeerRow& row) {
  std::string html;
  for (std::size_t i = 0; i < row.figures.size(); ++i) {
    const ReportCell* const cell = row.figures[i].cell;
    if (cell == nullptr || cell->result.peer->form.empty()) continue;
    html += fmt::format("<p>{}: <code>{}</code></p>", html_escaped(peers.engines[i]),
                        html_escaped(cell->result.peer->form));
  }
  return html;
}

std::vector<HtmlCell> peer_means(const PeerTable& peers) {
  std::vector<HtmlCell> cells{
      fmt::format("<span class=\"mean\">Geometric {}</span>", mean_name(peers)), ""};
  for (const std::optional<double>& mean : peers.means) {
    cells.push_back(
        mean ? fmt::format("<span class=\"ratio\">{} hdbench's time</span>", format_ratio(*mean))
             : std::string());
  }
  return cells;
}

HtmlTable costs_table(const ReportPivot& pivot, const Headline& head) {
  HtmlTable table{fmt::format("Times as long as {}: geometric means over the queries", head.base),
                  {{"tier", "text"}, "times as long", "95 % interval", "queries", "left out"}};
  for (const TierCost& cost : head.tiers) {
    const auto& times = cost.times;
    table.rows.push_back({html_chips(pivot.column(cost.column)),
                          times ? "<b>" + format_ratio(times->value) + "</b>" : html_none("none"),
                          times ? fmt::format("{} to {}", format_ratio(times->interval->low),
                                              format_ratio(times->interval->high))
                                : html_none("none"),
                          std::to_string(cost.pairs.queries.size()),
                          std::to_string(cost.pairs.left_out())});
  }
  return table;
}

}  // namespace

std::vector<std::size_t> PageDetail::shown(const std::vector<std::size_t>& counts) const {
  if (thread_counts_max == 0 || counts.size() <= thread_counts_max) return counts;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i + 1 < thread_counts_max; ++i)
    chosen.push_back(counts[i * (counts.size() - 1) / (thread_counts_max - 1)]);
  chosen.push_back(counts.back());
  return chosen;
}

bool PageDetail::shows(const ReportPivot& pivot, const ReportBlock& block) const {
  const auto counts = shown(pivot.threads(block.dataset));
  return std::find(counts.begin(), counts.end(), block.threads) != counts.end();
}

std::string html_column(const ReportColumn& column, bool is_reference) {
  return html_chips(column) + (is_reference ? "<small class=\"tag\">reference</small>" : "");
}

std::string html_time(const VerdictCell& cell, const std::string& between) {
  if (cell.cell == nullptr) return html_none("not run");
  if (!cell.ms) return "<b class=\"null\">0N</b>";
  return fmt::format("<b>{}</b>{}{}", format_ms(*cell.ms), between,
                     cell.interval ? fmt::format("<small class=\"range\">{}</small>",
                                                 interval_text(*cell.interval))
                                   : "");
}

std::string headline_section(const ReportPivot& pivot) {
  const Headline head = headline(pivot);
  std::string html = fmt::format(
      "<section id=\"headline\">\n<h2 class=\"away\">In short</h2>\n<p class=\"headline\">{}</p>\n",
      html_escaped(head.sentence));
  if (!head.emulated_sentence.empty())
    html += fmt::format("<p class=\"second\">{}</p>\n", html_escaped(head.emulated_sentence));
  html += "<div class=\"first\">\n";
  if (!head.tiers.empty()) {
    html += fmt::format(
        "<figure class=\"chart\">\n<figcaption><b>Times as long as {}</b>, log scale. Dot and "
        "line: {} of the queries and its 95 % {}; small dots: single queries; hollow: {}."
        "</figcaption>\n",
        html_escaped(head.base), "geometric mean", html_term("interval"), html_term("emulated"));
    html += html_canvas("chart-tiers",
                        "How many times as long as " + head.base + " queries take on each tier.") +
            html_figures(to_html(costs_table(pivot, head))) + "</figure>\n";
  }
  const std::vector<std::string> caveats = gravest_caveats(pivot);
  html += "<div class=\"caveats\">\n<h3>What to doubt first</h3>\n" +
          (caveats.empty() ? "<p>Nothing grave was found: no figure is impossible, and every "
                             "interval is within +-50 %.</p>\n"
                           : html_list(caveats));
  return html + fmt::format("<p class=\"note\">{} Cells: {}.</p>\n</div>\n</div>\n</section>\n",
                            html_escaped(head.basis),
                            html_escaped(block_text(pivot, pivot.primary())));
}

std::string answers_section(const ReportPivot& pivot) {
  std::string html = "<section id=\"answers\">\n<h2>Answers</h2>\n";
  html += fmt::format("<p>Computed from these cells, unless a sentence says otherwise: {}.</p>\n",
                      html_escaped(block_text(pivot, pivot.primary())));
  html += "<div class=\"answers\">\n";
  for (const Answer& answer : answers(pivot, has_study_queries(pivot))) {
    html += fmt::format("<article>\n<h3>{}</h3>\n<p class=\"summary\">{}</p>\n",
                        html_escaped(answer.question), html_escaped(answer.summary));
    if (!answer.sentences.empty())
      html += html_details("Figures and intervals", html_list(answer.sentences));
    html += "</article>\n";
  }
  return html + "</div>\n</section>\n";
}

std::string verdict_section(const ReportPivot& pivot, const PageDetail& detail) {
  TableMarks marks;
  const std::string table = table_html(pivot, verdict_table(pivot, pivot.primary()), marks);
  std::vector<std::string> others;
  for (const ReportBlock& block : pivot.blocks()) {
    if (block == pivot.primary() || !detail.shows(pivot, block)) continue;
    others.push_back(html_details(block_text(pivot, block),
                                  table_html(pivot, verdict_table(pivot, block), marks)));
  }
  return "<section id=\"verdict\">\n<h2>Verdict</h2>\n"
         "<p>In each cell: the median time in ms, and how many times as fast as the reference. A "
         "cell's 95 % interval shows when it is pointed at or reached with the arrow keys." +
         legend_html(marks) +
         " Another layout than the reference's is medium and layout together.</p>\n" + table +
         html_others(others) + "</section>\n";
}

std::string peers_section(const ReportPivot& pivot) {
  const std::vector<PeerTable> tables = peer_tables(pivot);
  if (tables.empty()) return {};
  std::string html =
      "<section id=\"peers\">\n<h2>Beside other engines</h2>\n"
      "<p>The same queries over the same files, in memory, on as many threads. hdbench's cell is "
      "DRAM, flat, mode 4.0. A figure above 1x took longer than hdbench. Below each query is what "
      "each engine ran.</p>\n";
  for (const PeerTable& peers : tables) {
    HtmlTable table{fmt::format("Times in ms: {}", threads_text(peers.threads)),
                    {{"query", "text"}, "hdbench"}};
    for (const std::string& engine : peers.engines) table.header.push_back(html_escaped(engine));
    for (const PeerRow& row : peers.rows) {
      std::vector<HtmlCell> cells{
          query_cell(pivot.input().queries[row.query], peer_forms(peers, row)),
          row.hdbench_ms ? fmt::format("<b>{}</b>", format_ms(*row.hdbench_ms))
                         : html_none("not run")};
      for (const PeerFigure& figure : row.figures) cells.push_back(peer_cell(figure));
      table.rows.push_back(std::move(cells));
    }
    if (peers.mean_queries != 0) table.rows.push_back(peer_means(peers));
    html += to_html(table);
  }
  return html + "</section>\n";
}

}  // namespace hdbench::bench

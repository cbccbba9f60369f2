// The page's first screen: what each tier costs, in a sentence and a chart, and what to doubt.
#include <fmt/format.h>

#include "bench/base/number_text.h"
#include "bench/report/answers/headline.h"
#include "bench/report/answers/quality.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

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

}  // namespace hdbench::bench

#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/report/views/ranks_view.h"

namespace hdbench::bench {

std::string ranks_section(const ReportPivot& pivot) {
  const std::vector<RankTable> tables = rank_tables(pivot.input());
  if (tables.empty()) return {};
  std::string html =
      "<section id=\"ranks\">\n<h2>Several machines</h2>\n"
      "<p>Ranks share the partitions: each reads its own, and rank 0 merges what they have and "
      "has the time. Reading is the mean of the ranks, and the slowest is the one that the others "
      "wait for; the network is what rank 0 waits for while results come; the merge is what it "
      "does alone. Clocks are rank 0's and the other's apart, as well as a round trip tells. Users "
      "are answered by ranks that have all partitions each, and their queries alone by rank "
      "0.</p>\n";
  html += html_list(rank_lines(pivot.input()));
  for (const RankTable& table : tables) {
    HtmlTable shown{table.title, {}};
    for (const std::string& name : table.rows.front()) shown.header.push_back(html_escaped(name));
    for (std::size_t at = 1; at < table.rows.size(); ++at) {
      std::vector<HtmlCell> row;
      for (const std::string& text : table.rows[at]) row.push_back(html_escaped(text));
      shown.rows.push_back(std::move(row));
    }
    html += to_html(shown);
  }
  return html + "</section>\n";
}

}  // namespace hdbench::bench

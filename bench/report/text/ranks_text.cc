#include "bench/base/lines.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/ranks_view.h"

namespace hdbench::bench {

std::string ranks_part(const ReportInput& input, const TextLook& look) {
  std::string text;
  for (const RankTable& table : rank_tables(input)) {
    text += look.tinted(folded(table.title, look.columns, "  "), Tint::kStrong);
    text += aligned(table.rows, table.left) + "\n";
  }
  for (const std::string& line : rank_lines(input)) text += folded(line, look.columns, "  ");
  return text;
}

}  // namespace hdbench::bench

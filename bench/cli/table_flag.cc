#include "bench/cli/table_flag.h"

#include <fmt/format.h>

#include "bench/report/text/text_reports.h"

namespace hdbench::bench {

void add_table_flag(FlagSet& command, std::string& word) {
  command
      .add_option(
          "--table", word,
          "what a terminal shows: summary (one table and what to make of it) or full (every "
          "cell)")
      .type_name("WORD")
      .capture_default_str();
}

Status check_table_word(const std::string& word) {
  if (word == "summary" || word == "full") return ok_status();
  return usage_error(fmt::format("--table: unknown value '{}': known are summary, full", word));
}

std::string terminal_report(const ReportPivot& pivot, const std::string& word) {
  constexpr std::size_t kUsual = 100;
  constexpr std::size_t kUsualFull = 120;
  return word == "full" ? full_report(pivot, output_look(kUsualFull))
                        : summary_report(pivot, output_look(kUsual));
}

std::string brief_text(const ReportPivot& pivot) {
  const TextLook look = output_look(80);
  return doubts_strip(pivot, look) + closing_screen(pivot, look);
}

}  // namespace hdbench::bench

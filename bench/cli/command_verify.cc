// hdbench verify: every header, length, index and symbol of a database.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/base/json_value.h"
#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/query_output/print_description.h"
#include "bench/query_output/query_output.h"
#include "bench/run/expected_counts.h"
#include "engine/inspect/verify.h"

namespace hdbench::bench {
namespace {

struct VerifyFlags {
  std::string root;
  std::string format = "table";
};

void show_lines(TextSink& sink, std::string_view lead, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    sink.text() += fmt::format("{}{}\n", lead, line);
    if (!sink.pass_on()) return;
  }
}

Result<int> verify_command(const FlagSet&, VerifyFlags& flags) {
  HDB_ASSIGN(const bool as_json, is_json(flags.format));
  DatabaseOptions tolerant;
  tolerant.tolerates_problems = true;
  const auto database = Database::open(flags.root, tolerant);
  if (!database.ok() && database.error().kind != ErrorKind::kData) return database.error();
  VerifyReport report;
  if (database.ok()) {
    warn_if_incomplete(flags.root);
    report = verify(**database);
  } else {
    report.findings.push_back(database.error().message);
  }
  TextSink sink = standard_output();
  if (as_json) {
    sink.text() = json_text(verify_json(flags.root, report));
  } else {
    show_lines(sink, "", report.findings);
    show_lines(sink, "note: ", report.notes);
    show_lines(sink, "unreadable here: ", report.unreadable);
  }
  HDB_TRY(sink.finish());
  tell(fmt::format("checked {}, {}, {}, {}, {:.1f} MB: {}, {}, {} unreadable here",
                   counted(report.tables, "table"), counted(report.partitions, "table partition"),
                   counted(report.columns, "column file"), counted(report.rows, "row"),
                   static_cast<double>(report.bytes) / 1e6,
                   counted(report.findings.size(), "error"), counted(report.notes.size(), "note"),
                   with_commas(report.unreadable.size())));
  return report.findings.empty() ? kFine : kDataStatus;
}

}  // namespace

void add_verify_command(Commands& commands) {
  auto [command, flags] = commands.add<VerifyFlags>(
      "verify",
      "Check every header, length, index and symbol of a database; status 3 when any is wrong",
      verify_command);
  command
      .add_path("DB", PathUse::kReadsDirectory, flags.root, "a kdb+ database: its root directory")
      .required();
  command.add("--format", "WORD", flags.format, "table (a line a finding) or json");
  command.footer(
      "Three kinds are found: errors (queries would fail or be wrong: status 3), notes (odd, and "
      "right), and what cannot be read here (not supported, named with its type).");
  command.examples({"hdbench verify /data/hdb", "hdbench verify /data/hdb --format json",
                    "hdbench verify /data/hdb || echo \"a file of it is wrong\""});
}

}  // namespace hdbench::bench

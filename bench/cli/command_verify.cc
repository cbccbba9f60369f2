// hdbench verify: every header, length, index and symbol of a database.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/run/expected_counts.h"
#include "engine/storage/verify.h"

namespace hdbench {
namespace {

// "1 table", "62 tables".
std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(count), noun, count == 1 ? "" : "s");
}

Result<int> verify_command(const std::string& root) {
  HDB_ASSIGN(const std::shared_ptr<Database> database, Database::open(root));
  warn_if_incomplete(root);
  HDB_ASSIGN(const VerifyReport report, verify(*database));
  TextSink sink = standard_output();
  for (const std::string& finding : report.findings) {
    sink.text() += finding + "\n";
    if (!sink.pass_on()) break;
  }
  for (const std::string& note : report.notes) sink.text() += "note: " + note + "\n";
  HDB_TRY(sink.finish());
  tell(fmt::format(
      "checked {}, {}, {}, {}, {:.1f} MB: {}", counted(report.tables, "table"),
      counted(report.partitions, "table partition"), counted(report.columns, "column file"),
      counted(report.rows, "row"), static_cast<double>(report.bytes) / 1e6,
      (report.findings.empty() ? "nothing wrong" : counted(report.findings.size(), "finding")) +
          (report.notes.empty() ? "" : ", " + counted(report.notes.size(), "note"))));
  return report.findings.empty() ? kFine : kDataStatus;
}

}  // namespace

void add_verify_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command(
      "verify",
      "Check every header, length, index and symbol of a database; status 3 when any is wrong");
  const auto root = std::make_shared<std::string>();
  command.add_option("DB", *root, "a kdb+ database: its root directory")
      .path(PathUse::kReadsDirectory)
      .required();
  command.examples({"hdbench verify /data/hdb", "hdbench verify /data/hdb > findings.txt",
                    "hdbench verify /data/hdb || echo \"a file of it is wrong\""});
  command.callback([root, &chosen] {
    chosen = [root] {
      const Result<int> status = verify_command(*root);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench

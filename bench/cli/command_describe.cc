// hdbench describe: what a database holds, and what of it cannot be read.
#include <string>

#include "bench/base/json_value.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/query_output/print_description.h"
#include "bench/query_output/query_output.h"
#include "bench/run/expected_counts.h"
#include "engine/inspect/description.h"

namespace hdbench::bench {
namespace {

struct DescribeFlags {
  std::string root;
  std::string table;
  std::string format = "table";
};

Result<int> describe_command(const FlagSet&, DescribeFlags& flags) {
  HDB_ASSIGN(const bool as_json, is_json(flags.format));
  DatabaseOptions tolerant;
  tolerant.tolerates_problems = true;
  HDB_ASSIGN(const std::shared_ptr<Database> database, Database::open(flags.root, tolerant));
  warn_if_incomplete(flags.root);
  HDB_ASSIGN(const DatabaseDescription found, describe_database(*database, flags.table));
  HDB_TRY(print_text(as_json ? json_text(description_json(found))
                             : description_text(found, !flags.table.empty())));
  return kFine;
}

}  // namespace

void add_describe_command(Commands& commands) {
  auto [command, flags] = commands.add<DescribeFlags>(
      "describe", "Show what a database holds: tables, partitions, rows, columns and their bytes",
      describe_command);
  command
      .add_path("DB", PathUse::kReadsDirectory, flags.root, "a kdb+ database: its root directory")
      .required();
  command.add("--table", "NAME", flags.table, "this table alone, with all its columns");
  command.add("--format", "WORD", flags.format, "table (one screen) or json (everything)");
  command.examples({"hdbench describe /data/hdb", "hdbench describe /data/hdb --table quote",
                    "hdbench describe /data/hdb --format json"});
}

}  // namespace hdbench::bench

// hdbench describe: what a database holds, and what of it cannot be read.
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

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

Result<int> describe_command(const DescribeFlags& flags) {
  HDB_ASSIGN(const bool as_json, is_json(flags.format));
  DatabaseOptions tolerant;
  tolerant.tolerates_problems = true;
  HDB_ASSIGN(const std::shared_ptr<Database> database, Database::open(flags.root, tolerant));
  warn_if_incomplete(flags.root);
  HDB_ASSIGN(const DatabaseDescription found, describe_database(*database, flags.table));
  TextSink sink = standard_output();
  sink.text() = as_json ? description_json(found).dump(2, ' ', false,
                                                       nlohmann::json::error_handler_t::replace) +
                              "\n"
                        : description_text(found, !flags.table.empty());
  HDB_TRY(sink.finish());
  return kFine;
}

}  // namespace

void add_describe_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command(
      "describe", "Show what a database holds: tables, partitions, rows, columns and their bytes");
  const auto flags = std::make_shared<DescribeFlags>();
  command.add_option("DB", flags->root, "a kdb+ database: its root directory")
      .path(PathUse::kReadsDirectory)
      .required();
  command.add_option("--table", flags->table, "this table alone, with all its columns")
      .type_name("NAME");
  command.add_option("--format", flags->format, "table (one screen) or json (everything)")
      .type_name("WORD")
      .capture_default_str();
  command.examples({"hdbench describe /data/hdb", "hdbench describe /data/hdb --table quote",
                    "hdbench describe /data/hdb --format json"});
  command.callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = describe_command(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench::bench

// hdbench import: makes a database of a data vendor's files.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "bench/base/number_text.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "datagen/import/taq_import.h"
#include "pmem/base/free_room.h"

namespace hdbench::bench {
namespace {

struct ImportFlags {
  std::string format;
  std::vector<std::string> files;
  std::string database;
  std::string date;
  std::string price_type = "real";
};

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

Result<datagen::ImportReport> import_with_progress(const ImportFlags& flags) {
  datagen::ImportOptions options;
  if (!flags.date.empty()) {
    const auto date = datagen::parse_import_date(flags.date);
    if (!date.ok()) return usage_error("--date: " + date.error().message);
    options.date = *date;
  }
  HDB_TRY(check_word("--price-type", flags.price_type, {"real", "float"}));
  if (flags.price_type == "float") options.price_type = QType::kFloat;
  if (const auto left = memory_left()) {
    options.memory_bytes_max = std::max<std::uint64_t>(left->bytes, 1);
  }
  options.stop = &interrupted();
  Progress progress("import taq");
  options.progress = [&](const datagen::ImportProgress& now) {
    progress.show(now.bytes_done, now.bytes, now.what);
  };
  const std::vector<std::filesystem::path> files(flags.files.begin(), flags.files.end());
  return datagen::import_taq(flags.database, files, options);
}

Result<int> import_files(const FlagSet&, ImportFlags& flags) {
  HDB_TRY(check_word("FORMAT", flags.format, {"taq"}));
  const auto begin = std::chrono::steady_clock::now();
  HDB_ASSIGN(const datagen::ImportReport report, import_with_progress(flags));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  for (const datagen::TaqFileReport& file : report.files) {
    for (const std::string& warning : datagen::warnings_of(file)) tell("warning: " + warning);
  }
  std::string tables;
  for (std::size_t table = 0; table < datagen::kTaqTables; ++table) {
    tables += fmt::format(", {} {}", datagen::taq_table(static_cast<datagen::TaqTable>(table)).name,
                          counted(report.rows[table], "row"));
  }
  HDB_TRY(print_text(
      fmt::format("{}: {}{}, {:.1f} MB\n"
                  "read {:.1f} MB of text from {} in {:.2f} s: {:.0f} MB/s (MB = 10^6 bytes)\n",
                  flags.database, counted(report.partitions, "partition"), tables,
                  megabytes(report.written_bytes), megabytes(report.text_bytes()),
                  counted(report.files.size(), "file"), elapsed.count(),
                  megabytes(report.text_bytes()) / std::max(elapsed.count(), 1e-9))));
  return kFine;
}

}  // namespace

void add_import_command(Commands& commands) {
  auto [command, flags] = commands.add<ImportFlags>(
      "import", "Make a database of NYSE's Daily TAQ files", import_files);
  command.words_before_a_last_one();
  command.add("FORMAT", "", flags.format, "taq").required();
  command
      .add_path("FILES", PathUse::kReadsFile, flags.files,
                "trade and quote files with a header, columns between |; plain or gzip")
      .required();
  command.add_path("DB", PathUse::kMakesDirectory, flags.database, "the directory to make")
      .required();
  command.add("--date", "DATE", flags.date,
              "the day of all files, YYYY.MM.DD; default: what their names say, else their END "
              "lines");
  command.add("--price-type", "WORD", flags.price_type,
              "of price, bid and ask: real, which keeps about seven digits, or float");
  command.footer(
      "A partition a day with both tables, types as gen --profile taq has them but seq a long, "
      "parted by sym. Lines that are not what the header promises, or without a symbol, time or "
      "price of one, are named, counted and left out; where they are more than half of a file, "
      "nothing is made. Other fields that do not fit are null, and counted.");
  command.examples({"hdbench import taq EQY_US_ALL_TRADE_20191007.gz /data/taq",
                    "hdbench import taq SPLITS_US_ALL_BBO_*_20191007 /data/taq",
                    "hdbench import taq trades.psv quotes.psv /data/taq --date 2019.10.07"});
}

}  // namespace hdbench::bench

// hdbench gen: makes a database.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/cli/commands.h"
#include "bench/model/axes.h"
#include "bench/run/made_database.h"

namespace hdbench {
namespace {

struct GenFlags {
  std::string database;
  std::string profile = "paper";
  std::string threads = "all";
  datagen::Spec spec;
  bool resume = false;
};

Result<int> gen(GenFlags flags) {
  HDB_ASSIGN(flags.spec.profile, datagen::parse_profile(flags.profile));
  constexpr std::size_t kAll = 0;
  HDB_ASSIGN(flags.spec.threads, only("--threads", parse_threads(flags.threads, kAll)));
  HDB_ASSIGN(const MadeDatabase made, make_database(flags.database, flags.spec, flags.resume));
  const datagen::Manifest& manifest = made.manifest;
  const double written_mb = static_cast<double>(made.written_bytes) / 1e6;
  fmt::print("{}: profile {}, scale {}: {} rows, {} partitions, {} columns, {:.1f} MB\n",
             flags.database, flags.profile, flags.spec.scale, with_commas(manifest.rows()),
             manifest.partitions.size(), flags.spec.columns,
             static_cast<double>(manifest.bytes()) / 1e6);
  fmt::print("written {:.1f} MB in {:.2f} s: {:.0f} MB/s (MB = 10^6 bytes)\n", written_mb,
             made.seconds, written_mb / std::max(made.seconds, 1e-9));
  return kFine;
}

}  // namespace

void add_gen_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command("gen", "Make a date-partitioned quote database");
  const auto flags = std::make_shared<GenFlags>();
  command.add_option("DB", flags->database, "the directory to make")
      .path(PathUse::kMakesDirectory)
      .required();
  command
      .add_option("--profile", flags->profile,
                  "paper: the published 62 days; paper-3y: 784 days; taq: thousands of symbols")
      .type_name("WORD")
      .capture_default_str();
  command.add_option("--scale", flags->spec.scale, "of each day's row count; 1 is the paper's")
      .type_name("S")
      .capture_default_str();
  command
      .add_option("--columns", flags->spec.columns,
                  "columns, date included; 60 is the paper's width")
      .type_name("N")
      .capture_default_str();
  command
      .add_option("--parted", flags->spec.parted,
                  "order each day by this symbol column and give it p#; default: time order")
      .type_name("COL");
  command.add_option("--seed", flags->spec.seed, "same spec and seed, same bytes")
      .type_name("N")
      .capture_default_str();
  command.add_option("-s,--threads", flags->threads, "threads that write, or all")
      .type_name("WORD")
      .capture_default_str();
  command.add_flag("--resume", flags->resume, "complete what an interrupted run left");
  command.callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = gen(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench

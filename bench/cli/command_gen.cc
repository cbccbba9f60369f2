// hdbench gen: makes a database.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/model/axes.h"
#include "bench/run/expected_counts.h"
#include "bench/run/made_database.h"
#include "datagen/generate.h"
#include "datagen/layout.h"
#include "pmem/base/medium_spec.h"

namespace hdbench::bench {
namespace {

struct GenFlags {
  std::string database;
  std::string profile = "paper";
  std::string threads = "all";
  std::string size;
  std::string scale = "1";
  std::string compress = "none";
  datagen::Spec spec;
  bool resume = false;
};

// The scale whose columns have the size that is requested.
Status take_size(GenFlags& flags) {
  if (flags.size.empty()) return ok_status();
  const auto bytes = parse_size(flags.size);
  if (!bytes.ok()) return usage_error("--size: " + bytes.error().message);
  HDB_TRY(datagen::validate(flags.spec));
  const auto scale = datagen::scale_of_bytes(flags.spec, *bytes);
  if (!scale) {
    datagen::Spec least = flags.spec;
    least.scale = 1e-6;
    return usage_error(fmt::format("--size: {} is too small: the least is {:.1f} MB", flags.size,
                                   static_cast<double>(datagen::expected_bytes(least)) / 1e6));
  }
  flags.spec.scale = *scale;
  return ok_status();
}

// "9 columns", "trade of 13 columns, quote of 13 columns".
std::string spec_columns_text(const datagen::Spec& spec) {
  const auto tables = datagen::table_plans(spec);
  std::string text;
  for (const datagen::TablePlan& table : tables) {
    if (tables.size() > 1) text += fmt::format("{}{} of ", text.empty() ? "" : ", ", table.name);
    text += fmt::format("{} columns", table.columns.size() + 1);
  }
  return text;
}

Result<int> gen(const FlagSet& command, GenFlags& flags) {
  if (!flags.size.empty() && command.count("--scale") != 0) {
    return usage_error("--size and --scale say the same: leave one out");
  }
  if (flags.profile == "taq" && command.count("--columns") != 0) {
    return usage_error("--columns: not for profile taq, whose tables have the columns of TAQ");
  }
  HDB_ASSIGN(flags.spec.profile, datagen::parse_profile(flags.profile));
  constexpr std::size_t kAll = 0;
  HDB_ASSIGN(flags.spec.threads, only("--threads", parse_threads(flags.threads, kAll)));
  if (flags.spec.synthetic && !flags.size.empty())
    return usage_error("--size: not with --synthetic, whose columns take little: give --scale");
  // Below level 7 zstd takes short matches for long ones in columns of few values; larger blocks
  // become fewer bytes in more time.
  if (flags.spec.synthetic && command.count("--compress") == 0) flags.compress = "zstd:7:17";
  HDB_ASSIGN(flags.spec.compression, parse_compression("--compress", flags.compress));
  std::optional<double> known;
  if (const auto manifest = datagen::read_manifest(manifest_path(flags.database));
      flags.resume && manifest.ok())
    known = manifest->spec.scale;
  HDB_ASSIGN(const FirstScale scale, scale_of_word(flags.scale, flags.spec, flags.database, known));
  flags.spec.scale = scale.scale;
  HDB_TRY(take_size(flags));
  HDB_ASSIGN(const MadeDatabase made, make_database(flags.database, flags.spec, flags.resume));
  const datagen::Manifest& manifest = made.manifest;
  const double written_mb = static_cast<double>(made.written_bytes) / 1e6;
  const std::string chosen =
      scale.reason.empty() ? "" : fmt::format("scale {:g}: {}\n", scale.scale, scale.reason);
  HDB_TRY(print_text(
      fmt::format("{}{}: profile {}, scale {}: {} rows, {} partitions, {}, {:.1f} MB\n"
                  "written {:.1f} MB in {:.2f} s: {:.0f} MB/s (MB = 10^6 bytes)\n",
                  chosen, flags.database, flags.profile, flags.spec.scale,
                  with_commas(manifest.rows()), manifest.partitions.size(),
                  spec_columns_text(flags.spec), static_cast<double>(manifest.bytes()) / 1e6,
                  written_mb, made.seconds, written_mb / std::max(made.seconds, 1e-9))));
  return kFine;
}

}  // namespace

void add_gen_command(Commands& commands) {
  auto [command, flags] =
      commands.add<GenFlags>("gen", "Make a date-partitioned quote database", gen);
  command.add_path("DB", PathUse::kMakesDirectory, flags.database, "the directory to make")
      .required();
  command.group("Data");
  command.add("--profile", "WORD", flags.profile,
              "paper: the published 62 days; paper-3y: 784 days; taq: trades and quotes of "
              "thousands of symbols");
  command.add("--scale", "WORD", flags.scale,
              "of each day's row count; 1 is the paper's; auto: so that the paper's greater "
              "queries move several times the caches, within 3 GB");
  command.add("--size", "SIZE", flags.size,
              "instead of --scale: what the columns take at most, such as 3GB or 500MiB");
  command.add("--columns", "N", flags.spec.columns,
              "columns, date included; 60 is the paper's width; not for taq");
  command.add("--parted", "COL", flags.spec.parted,
              "order each day by this symbol column and give it p#; default: time order; taq: "
              "always sym");
  command.add("--compress", "WORD", flags.compress,
              "column files as kdb+ compresses them: ALG:LEVEL:BLOCK, or ALG alone; gzip, snappy, "
              "lz4 or zstd, a block of 2^BLOCK bytes (12 to 20, 17 unless given)");
  command.add_flag("--synthetic", flags.spec.synthetic,
                   "every row count exact, but rows repeat: a table of terabytes takes gigabytes; "
                   "compressed as zstd:7:17 unless --compress says otherwise; not for taq");
  command.add("--seed", "N", flags.spec.seed, "same spec and seed, same bytes");
  command.group("Run");
  command.add("-s,--threads", "WORD", flags.threads, "threads that write, or all");
  command.add_flag("--resume", flags.resume, "complete what an interrupted run left");
  command.examples({"hdbench gen /tmp/hdb --scale 0.05 --parted col3",
                    "hdbench gen /data/hdb --size 3GB --columns 60",
                    "hdbench gen /data/hdb --profile taq --resume",
                    "hdbench gen /data/zip --size 3GB --compress lz4:1:17",
                    "hdbench gen /data/large --profile paper-3y --columns 60 --synthetic"});
}

}  // namespace hdbench::bench

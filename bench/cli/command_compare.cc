// hdbench compare: two results cell by cell, for people and for CI.
#include <fmt/format.h>

#include <memory>

#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/results/comparison.h"
#include "bench/storage/io_comparison.h"

namespace hdbench {
namespace {

struct CompareFlags {
  std::string a;
  std::string b;
  double threshold_percent = 5;
  std::string by = "time";
  std::string format = "table";
};

// As a query that hits its limit: what was looked for has been found.
constexpr int kRegression = 1;

struct Sides {
  SavedRun a;
  SavedRun b;
  Comparison comparison;
};

Result<HeldBy> parse_held_by(const std::string& word) {
  if (word == "time") return HeldBy::kTime;
  if (word == "ceiling") return HeldBy::kCeiling;
  return usage_error(fmt::format("--by: '{}': known are time and ceiling", word));
}

// Of storage primitives a comparison names file, commit and date only.
SavedRun heading_of(const SavedIo& saved) {
  SavedRun run;
  run.file = saved.file;
  run.context.commit = saved.commit;
  run.context.date = saved.date;
  return run;
}

Result<Sides> read_sides(const CompareFlags& flags) {
  HDB_ASSIGN(const HeldBy held_by, parse_held_by(flags.by));
  if (is_io_results(flags.a) && is_io_results(flags.b)) {
    if (held_by == HeldBy::kCeiling) {
      return usage_error("--by ceiling: storage primitives are compared by time");
    }
    HDB_ASSIGN(const SavedIo a, read_io_results(flags.a));
    HDB_ASSIGN(const SavedIo b, read_io_results(flags.b));
    return Sides{heading_of(a), heading_of(b), compare_io(a, b, flags.threshold_percent)};
  }
  HDB_ASSIGN(SavedRun a, read_results(flags.a));
  HDB_ASSIGN(SavedRun b, read_results(flags.b));
  Comparison comparison = compare(a, b, flags.threshold_percent, held_by);
  return Sides{std::move(a), std::move(b), std::move(comparison)};
}

Result<int> compare_files(const CompareFlags& flags) {
  if (!(flags.threshold_percent >= 0)) {
    return usage_error(
        fmt::format("--threshold: {} is not from 0 per cent up", flags.threshold_percent));
  }
  if (flags.format != "table" && flags.format != "json") {
    return usage_error(fmt::format("--format: '{}': known are table and json", flags.format));
  }
  HDB_ASSIGN(const Sides sides, read_sides(flags));
  const auto& [a, b, comparison] = sides;
  if (comparison.cells.empty() && comparison.no_figure.empty()) {
    return data_error(fmt::format("{} and {} have no cell in common", flags.a, flags.b));
  }
  if (comparison.cells.empty() && comparison.held_by == HeldBy::kCeiling) {
    return data_error(fmt::format(
        "--by ceiling: no cell of {} and {} has a ceiling in both: emulated media, columns placed "
        "apart and peers have none",
        flags.a, flags.b));
  }
  TextSink sink = standard_output();
  sink.text() = flags.format == "json" ? comparison_json(comparison, flags.threshold_percent)
                                       : comparison_text(comparison, a, b, flags.threshold_percent);
  HDB_TRY(sink.finish());
  if (comparison.different_results != 0) {
    return Error{ErrorKind::kMismatch,
                 fmt::format("{} cells have another result in {} than in {}",
                             comparison.different_results, flags.b, flags.a),
                 {}};
  }
  return comparison.regressions != 0 ? kRegression : kFine;
}

}  // namespace

void add_compare_command(FlagSet& app, ChosenCommand& chosen) {
  FlagSet command = app.add_command(
      "compare", "Two results, cell by cell; status 1 where B is surely slower than A");
  const auto flags = std::make_shared<CompareFlags>();
  command.add_option("A", flags->a, "results.json, before").path(PathUse::kReadsFile).required();
  command.add_option("B", flags->b, "results.json, after").path(PathUse::kReadsFile).required();
  command.group("Verdict");
  command
      .add_option("--threshold", flags->threshold_percent,
                  "a regression is a cell whose ratio's interval lies above 1 + PCT / 100")
      .type_name("PCT")
      .capture_default_str();
  command
      .add_option("--by", flags->by,
                  "time: medians; ceiling: what they are of the least time that the machine's own "
                  "memory or disk needed in the same rounds, so that a slower day is no regression")
      .type_name("WORD")
      .capture_default_str();
  command.group("Output");
  command.add_option("--format", flags->format, "table, json")
      .type_name("WORD")
      .capture_default_str();
  command.examples({"hdbench compare before.json after.json",
                    "hdbench compare before.json after.json --by ceiling --threshold 10",
                    "hdbench compare before.json after.json --format json"});
  command.callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = compare_files(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench

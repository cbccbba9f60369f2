// hdbench compare: two results cell by cell, for people and for CI.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/base/number_text.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/results/comparison.h"
#include "bench/storage/io_results.h"

namespace hdbench::bench {
namespace {

struct CompareFlags {
  std::vector<std::string> files;
  std::vector<std::string> against;
  double threshold_percent = 5;
  std::string by = "time";
  bool strict = false;
  std::string format = "table";
};

// As a query that hits its limit: what was looked for has been found.
constexpr int kRegression = 1;
constexpr int kNotAllJudged = 5;

struct SideFiles {
  std::vector<std::string> a;
  std::vector<std::string> b;
};

Result<SideFiles> sides_of(const CompareFlags& flags) {
  if (!flags.against.empty()) return SideFiles{flags.files, flags.against};
  if (flags.files.size() == 2) return SideFiles{{flags.files[0]}, {flags.files[1]}};
  return usage_error(
      fmt::format("compare: found {}, expected A B, or several a side: A1 A2 -- B1 B2",
                  counted(flags.files.size(), "file")));
}

template <typename Saved>
Result<std::vector<Saved>> read_side(const std::vector<std::string>& files,
                                     Result<Saved> (*read)(const std::filesystem::path&)) {
  std::vector<Saved> side;
  for (const std::string& file : files) {
    HDB_ASSIGN(Saved saved, read(file));
    side.push_back(std::move(saved));
  }
  return side;
}

Result<Comparison> compared_sides(const SideFiles& files, const CompareFlags& flags) {
  const HeldBy held_by = flags.by == "time" ? HeldBy::kTime : HeldBy::kCeiling;
  const auto all_are_io = [](const std::vector<std::string>& side) {
    return std::ranges::all_of(side, [](const std::string& file) { return is_io_results(file); });
  };
  if (all_are_io(files.a) && all_are_io(files.b)) {
    if (held_by == HeldBy::kCeiling) {
      return usage_error("--by ceiling: storage primitives are compared by time");
    }
    HDB_ASSIGN(const auto a, read_side<SavedIo>(files.a, read_io_results));
    HDB_ASSIGN(const auto b, read_side<SavedIo>(files.b, read_io_results));
    return compare_io(a, b, flags.threshold_percent);
  }
  HDB_ASSIGN(const auto a, read_side<SavedRun>(files.a, read_results));
  HDB_ASSIGN(const auto b, read_side<SavedRun>(files.b, read_results));
  return compare(a, b, flags.threshold_percent, held_by);
}

Result<int> compare_files(const FlagSet&, CompareFlags& flags) {
  if (!(flags.threshold_percent >= 0)) {
    return usage_error(
        fmt::format("--threshold: {} is not from 0 per cent up", flags.threshold_percent));
  }
  HDB_TRY(check_word("--format", flags.format, {"table", "json"}));
  HDB_TRY(check_word("--by", flags.by, {"time", "ceiling"}));
  HDB_ASSIGN(const SideFiles files, sides_of(flags));
  HDB_ASSIGN(const Comparison comparison, compared_sides(files, flags));
  const std::string a = fmt::format("{}", fmt::join(files.a, ", "));
  const std::string b = fmt::format("{}", fmt::join(files.b, ", "));
  const bool are_same_queries = comparison.other_queries.empty();
  if (comparison.cells.empty() && comparison.no_figure.empty() && are_same_queries) {
    return data_error(fmt::format("{} and {} have no cell in common", a, b));
  }
  if (comparison.cells.empty() && comparison.held_by == HeldBy::kCeiling &&
      comparison.different_results == 0 && are_same_queries) {
    return data_error(fmt::format(
        "--by ceiling: no cell of {} and {} has a ceiling in both: columns placed apart, real "
        "memory other than DRAM and peers have none",
        a, b));
  }
  HDB_TRY(print_text(flags.format == "json" ? comparison_json(comparison)
                                            : comparison_text(comparison)));
  if (comparison.different_results != 0) {
    return Error{
        ErrorKind::kMismatch,
        fmt::format("{} cells have another result in one of these files than in another: {}, {}",
                    comparison.different_results, a, b),
        {}};
  }
  if (comparison.cells.empty() && !are_same_queries) {
    return data_error(fmt::format(
        "{} and {} have no cell to judge: what is in both is not the same query", a, b));
  }
  if (comparison.regressions != 0) return kRegression;
  return flags.strict && comparison.not_judged() != 0 ? kNotAllJudged : kFine;
}

}  // namespace

void add_compare_command(Commands& commands) {
  auto [command, flags] =
      commands.add<CompareFlags>("compare",
                                 "Two results, cell by cell: A B, or several files of a program "
                                 "a side: A1 A2 -- B1 B2; status 1 where a ratio's whole "
                                 "interval is above --threshold",
                                 compare_files);
  command
      .add_path("FILES", PathUse::kReadsFile, flags.files,
                "results.json before and after, or all before")
      .required();
  command.add_path("--against", PathUse::kReadsFile, flags.against,
                   "all results.json after; FILES are those before. `--` is short for it");
  command.group("Verdict");
  command.add("--threshold", "PCT", flags.threshold_percent,
              "a regression is a cell whose ratio's interval lies above 1 + PCT / 100");
  command.add("--by", "WORD", flags.by,
              "time: medians; ceiling: what they are of the least time that the machine's own "
              "memory or disk needed in the same rounds, so that a slower day is no regression");
  command.add_flag("--strict", flags.strict,
                   "status 5 where cells are not judged: on one side only, of another query, "
                   "without a result or a ceiling, or with one time; inconclusive is a verdict");
  command.group("Output");
  command.add("--format", "WORD", flags.format, "table, json");
  command.examples({"hdbench compare before.json after.json",
                    "hdbench compare before.json after.json --by ceiling --threshold 10",
                    "hdbench compare a1.json a2.json -- b1.json b2.json --strict"});
}

}  // namespace hdbench::bench

// The results of `hdbench io`: written as results.json and read back, printed as text, Markdown and
// CSV, and compared.
//
// results.json has Google Benchmark's shape, `context.tool` "io". real_time is the median in ms: of
// 10^6 bytes where a result's unit is MB/s, of one operation where it is ms. Without a result it is
// 0, for Google Benchmark's tools, with error_occurred; a figure above its ceiling is such a case
// and is listed in `flagged`.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/results/comparison.h"
#include "bench/storage/io_run.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// command: that gives this run again.
std::string io_json(const IoRun& run, const std::string& command);

// A saved result.
struct SavedIo {
  std::string file;  // as it was named
  std::string date;
  std::string commit;
  std::string command;
  std::string machine;
  IoRun run;
};

// Whether the file says that it is one; false for all that cannot be read.
bool is_io_results(const std::filesystem::path& file);

// Errors: kData, naming the file and what is wrong with it; kUsage: there is no such file.
Result<SavedIo> read_io_results(const std::filesystem::path& file);

// Of several ranks: the slowest one, its own figure, and (fastest - slowest) / median of all.
struct IoRankSpread {
  std::size_t slowest = 0;
  double median = 0;
  double spread = 0;
};
// Nothing: one rank, or no result.
std::optional<IoRankSpread> rank_spread_of(const IoResult& result);

std::string io_table(const IoRun& run);

std::string io_markdown(const IoRun& run);

// A header line, then a line a result; a figure that is none is empty.
std::string io_csv(const IoRun& run);

// Result by result, as `hdbench compare` holds cells against each other: in ms, by their names.
// Requires: a file a side.
Comparison compare_io(std::span<const SavedIo> a, std::span<const SavedIo> b,
                      double threshold_percent);

}  // namespace hdbench::bench

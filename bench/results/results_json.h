// Writes and reads results.json: Google Benchmark's shape, so that its tools read it, with this
// project's fields (docs/results-json.md). `run` writes it; `report`, `compare` and `run --resume`
// read it. Writing what was read gives the same document.
//
// A cell is one entry; real_time and cpu_time are its medians in ms, or 0 where there is none, as
// that library's tools take numbers only. Anything else that was not measured is null.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/cell_result.h"
#include "bench/model/run_context.h"
#include "engine/base/result.h"

namespace hdbench::bench {

std::string results_json(const RunContext& context, const std::vector<CellResult>& cells);

// The same in one line with a line end, without the fields that follow from others: quickly made,
// and read as the document is.
std::string results_line(const RunContext& context, const std::vector<CellResult>& cells);

// Longer files are no results.
constexpr std::size_t kResultsBytesMax = std::size_t{512} << 20;

struct SavedRun {
  std::string file;  // as it was named
  RunContext context;
  std::vector<CellResult> cells;  // hdbench's own and the peers', in the file's order
};

// Errors: kData, naming the file, the field and what was found; kUsage: there is no such file.
Result<SavedRun> read_results(const std::filesystem::path& file);

// As read_results(), from a document's text.
Result<SavedRun> parse_results(std::string_view text, const std::string& file);

// A rank's machine, as it tells rank 0. Errors: kData, with `from` before them.
std::string rank_context_text(const RankContext& rank);
Result<RankContext> parse_rank_context(std::string_view text, const std::string& from);

// Of a file of `run` or `io` with this context. Errors: kData: another version of hdbench wrote it.
Status check_schema_version(const nlohmann::ordered_json& context, const std::string& file);

}  // namespace hdbench::bench

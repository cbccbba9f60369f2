// Reads results.json, for `report`, `compare` and `run --resume`.
//
// The inverse of results_json(): writing what was read gives the same document.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/json_value.h"
#include "bench/model/cell_result.h"
#include "bench/model/run_context.h"
#include "engine/base/result.h"

namespace hdbench::bench {

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

// Of a file of `run` or `io` with this context; older ones have none. Errors: kData: a later
// hdbench wrote it.
Status check_schema_version(const Json& context, const std::string& file);

}  // namespace hdbench::bench

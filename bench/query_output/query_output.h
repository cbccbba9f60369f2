// Prints the result of `hdbench query`, in each format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bench/base/text_sink.h"
#include "bench/run/session.h"
#include "engine/base/result.h"
#include "engine/exec/explain.h"

namespace hdbench::bench {

enum class OutputFormat { kTable, kCsv, kJson };

// Errors: kUsage, naming the formats.
Result<OutputFormat> parse_format(std::string_view word);
// Whether it is json and not table; errors: kUsage, naming the two.
Result<bool> is_json(std::string_view word);

struct OutputOptions {
  OutputFormat format = OutputFormat::kTable;
  bool rows_only = false;
  bool all_rows = false;        // kTable: every row, not the first ones
  std::size_t columns_max = 0;  // kTable: where lines are cut; 0: nowhere
};

// id: the query's number in its file, shown in JSON objects. A query that its limit stopped shows
// as 0N (JSON: null).
void show_result(const TimedRun& run, std::optional<int> id, const OutputOptions& options,
                 TextSink& sink);

// The same of a query whose rows were only counted; nothing: 0N.
void show_count(std::optional<std::uint64_t> rows, std::optional<int> id, OutputFormat format,
                TextSink& sink);

void show_explanation(const Explanation& explanation, std::optional<int> id, OutputFormat format,
                      TextSink& sink);

}  // namespace hdbench::bench

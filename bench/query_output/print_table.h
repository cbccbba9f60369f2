// Prints results for people, in q's manner: aligned columns, keys before a bar, dates with dots.
#pragma once

#include <cstdint>

#include "bench/base/text_sink.h"
#include "engine/column/result_table.h"

namespace hdbench::bench {

// Prints the first rows_max rows, and `..` where there are more. Columns are as wide as their
// widest printed value. All rows of a large table: widths are taken from the first 4096, and later
// values may overhang.
void print_table(const ResultTable& table, std::uint64_t rows_max, TextSink& sink);

}  // namespace hdbench::bench

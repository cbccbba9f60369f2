// Prints the rows of a result as a table for people, as CSV or as JSON. CSV and JSON stop early
// when the sink's reader has gone; the caller finishes the sink.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/base/text_sink.h"
#include "engine/column/result_table.h"

namespace hdbench::bench {

// In q's manner: aligned columns, keys before a bar, dates with dots. Prints the first rows_max
// rows, and `..` where there are more. Columns are as wide as their widest printed value. All rows
// of a large table: widths are taken from the first 4096, and later values may overhang. Lines of
// more than columns_max are cut there, with two dots; 0: they are whole.
void print_table(const ResultTable& table, std::uint64_t rows_max, std::size_t columns_max,
                 TextSink& sink);

// As q's `csv 0:`: a line of names, then a line a row; keys are columns like any other.
//
// A value is quoted only where it holds a comma, a quote or a line break; quotes in it are doubled.
// Other than q's: a null that is alone in its line is "", as many readers leave out empty lines.
void print_csv(const ResultTable& table, TextSink& sink);

// One line: {"columns": [...], "types": [...], "keys": 2, "rows": 4, "data": [[...], ...]}, one
// array a column. members: more members for the front of the object, each with its comma behind:
// "\"id\": 7, ".
//
// Numbers are numbers, booleans true and false, nulls null; infinities, temporals and texts are
// strings, written as `csv 0:` writes them. Bytes that are not UTF-8 are taken as Latin-1.
void print_json(const ResultTable& table, std::string_view members, TextSink& sink);

// Appends text as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);

}  // namespace hdbench::bench

// Results as JSON: {"columns": [...], "types": [...], "keys": 2, "rows": 4, "data": [[...], ...]},
// one array a column.
//
// Numbers are numbers, booleans true and false, nulls null; infinities, temporals and texts are
// strings, written as `csv 0:` writes them. Bytes that are not UTF-8 are taken as Latin-1.
#pragma once

#include <string>
#include <string_view>

#include "bench/base/text_sink.h"
#include "engine/column/result_table.h"

namespace hdbench::bench {

// One line. members: more members for the front of the object, each with its comma behind: "\"id\":
// 7, ".
void print_json(const ResultTable& table, std::string_view members, TextSink& sink);

// Appends text as a JSON string, quotes included.
void append_json_string(std::string& out, std::string_view text);

}  // namespace hdbench::bench

// Results as q's `csv 0:` prints them: a line of names, then a line a row; keys are columns like
// any other.
//
// A value is quoted only where it holds a comma, a quote or a line break; quotes in it are doubled.
// Other than q's: a null that is alone in its line is "", as many readers leave out empty lines.
#pragma once

#include "bench/base/text_sink.h"
#include "engine/column/result_table.h"

namespace hdbench::bench {

// Stops early when the sink's reader has gone; the caller finishes the sink.
void print_csv(const ResultTable& table, TextSink& sink);

}  // namespace hdbench::bench

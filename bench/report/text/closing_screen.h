// What ends a run on a terminal: what each tier costs in a sentence and as bars, and what limits
// trust in it, within a screen of 24 lines of 80 columns.
#pragma once

#include <string>

#include "bench/base/text_look.h"
#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

std::string closing_screen(const ReportPivot& pivot, const TextLook& look);

// The quality gate's strip, which stands above everything; empty where the figures pass it.
std::string doubts_strip(const ReportPivot& pivot, const TextLook& look);

}  // namespace hdbench::bench

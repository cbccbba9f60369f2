// --table: how much of a run a terminal shows.
#pragma once

#include <string>

#include "bench/cli/flag_set.h"
#include "bench/report/views/report_pivot.h"
#include "engine/base/result.h"

namespace hdbench::bench {

void add_table_flag(FlagSet& command, std::string& word);
// Errors: kUsage, for another word than summary and full.
Status check_table_word(const std::string& word);

// What that word shows, as standard output has it. Requires: it was checked.
std::string terminal_report(const ReportPivot& pivot, const std::string& word);
// The last screen of it alone, below what fails the quality gate.
std::string brief_text(const ReportPivot& pivot);

}  // namespace hdbench::bench

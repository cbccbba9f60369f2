// --table: how much of a run a terminal shows.
#pragma once

#include <string>

#include "bench/cli/flag_set.h"
#include "engine/base/result.h"

namespace hdbench {

void add_table_flag(FlagSet& command, std::string& word);
// Errors: kUsage, for another word than summary and full.
Status check_table_word(const std::string& word);

}  // namespace hdbench

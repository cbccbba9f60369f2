// The output of `hdbench run`: the tables of each dataset, and the lines below them.
#pragma once

#include <string>

#include "bench/model/run_context.h"
#include "bench/run/run_cells.h"

namespace hdbench {

std::string run_text(const RunOutcome& outcome);
// The peers' times beside hdbench's alone; empty where none ran.
std::string peer_tables(const RunOutcome& outcome);

}  // namespace hdbench

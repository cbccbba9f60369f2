// A question on the terminal. The wait for the answer ends on SIGINT and SIGTERM, too.
#pragma once

#include <string>

#include "engine/base/result.h"

namespace hdbench::bench {

// Prints the question on standard error, and reads a line from `descriptor`, up to its end or to
// the end of the input. True for "y" or "yes". Errors: kUsage "interrupted".
Result<bool> is_agreed(const std::string& question, int descriptor);

}  // namespace hdbench::bench

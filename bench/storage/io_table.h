// Prints the results of `hdbench io` as text, Markdown and CSV.
#pragma once

#include <string>

#include "bench/storage/io_run.h"

namespace hdbench::bench {

std::string io_table(const IoRun& run);

std::string io_markdown(const IoRun& run);

// A header line, then a line a result; a figure that is none is empty.
std::string io_csv(const IoRun& run);

}  // namespace hdbench::bench

// The results of `hdbench io` as a section of the report and as a page: throughput by block size
// and processes, latencies, filesystems side by side, and published figures.
#pragma once

#include <string>
#include <vector>

#include "bench/storage/io_json.h"

namespace hdbench {

// Empty without results.
std::string io_section(const std::vector<SavedIo>& saved);

// Without results of queries. Needs no script.
std::string io_page(const std::vector<SavedIo>& saved);

}  // namespace hdbench

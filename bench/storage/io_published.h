// Published figures for the same tests (articles on nano v1), shown beside the measured ones.
#pragma once

#include <string>

#include "bench/storage/io_test.h"

namespace hdbench {

// "NVMe x24 2139, PMem 3557 MiB/s"; empty: none is published. With one process the figures of one
// thread, with more those of 36.
std::string published_of(const IoTest& test, std::size_t processes);

}  // namespace hdbench

// For tests: what a look at a directory would say, whether its files are persistent memory.
#pragma once

#include <filesystem>

#include "engine/base/result.h"

namespace hdbench::testing {

inline Result<bool> is_pmem(const std::filesystem::path&) { return true; }
inline Result<bool> is_not_pmem(const std::filesystem::path&) { return false; }

}  // namespace hdbench::testing

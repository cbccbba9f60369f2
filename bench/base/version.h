// The version and commit that this program was built from.
#pragma once

#include <string_view>

namespace hdbench {

// "0.1.0".
std::string_view version();
// `git describe --always --dirty` when it was built, or "unknown".
std::string_view commit();
// "debug" or "release", as Google Benchmark says it.
std::string_view build_type();

}  // namespace hdbench

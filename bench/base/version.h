// The version and commit that this program was built from.
#pragma once

#include <string_view>

namespace hdbench::bench {

// "0.1.0".
std::string_view version();
// Of results.json's fields: raised when one is removed or means something else, not when one is
// added. Files of another one are not read.
inline constexpr int kResultsSchemaVersion = 2;
// `git describe --always --dirty` when it was built, or "unknown".
std::string_view commit();
// "debug" or "release", as Google Benchmark says it.
std::string_view build_type();

}  // namespace hdbench::bench

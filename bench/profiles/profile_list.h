// The device profiles that come with the program, one a line.
#pragma once

#include <cstddef>
#include <string>

#include "engine/base/result.h"

namespace hdbench::bench {

// A table of name, medium, GB/s of sequential reads, ns of a read at random and the bandwidth's
// source, at most `columns` wide. Near cache and device stand with a stroke between. Errors:
// load_profile()'s.
Result<std::string> profiles_text(std::size_t columns);

// The same as a JSON list of objects.
Result<std::string> profiles_json();

}  // namespace hdbench::bench

// Google Benchmark's flags, as far as they have a meaning here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

// The flags that begin with --benchmark_.
struct GoogleFlags {
  std::string filter;  // of cells' names: a regular expression; "-..." leaves those out
  bool list = false;   // the names, and nothing is run
  std::optional<std::size_t> repetitions;
  bool json = false;                                         // on standard output
  std::vector<std::pair<std::string, std::string>> context;  // entries of results.json's context
};

// Errors: kUsage for any other flag, saying what to use.
Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments);

}  // namespace hdbench::bench

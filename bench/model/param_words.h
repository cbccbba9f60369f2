// The values of --param.
#pragma once

#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "queries/literal/literal_parser.h"

namespace hdbench::bench {

// Of words NAME=FILE or NAME=VALUE: the lines of a regular file of that name, else the value that q
// writes so. Errors: kUsage naming the flag and the word: no name, one given twice, a file of more
// than kParamBytesMax or with no value, what is neither.
Result<QueryParams> read_query_params(const std::vector<std::string>& words);

constexpr std::size_t kParamBytesMax = std::size_t{16} << 20;

}  // namespace hdbench::bench

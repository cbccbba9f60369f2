// Parses a q-SQL query into its syntax (syntax.h).
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "queries/syntax.h"

namespace hdbench {

// select|exec [columns] [by columns] from table [where conditions]
Result<ParsedQuery> parse_query(std::string_view text);

// The aggregates, as errors list them.
inline constexpr std::string_view kAggregateWords = "count sum avg min max first last wavg dev med";

}  // namespace hdbench

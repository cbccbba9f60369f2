// The whole of a q-SQL query, from text to syntax (syntax.h).
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "queries/syntax.h"

namespace hdbench {

// select|exec [columns] [by columns] from table [where conditions]
Result<ParsedQuery> parse_query(std::string_view text);

// The words that the errors list.
inline constexpr std::string_view kAggregateWords = "count sum avg min max first last wavg dev med";

}  // namespace hdbench

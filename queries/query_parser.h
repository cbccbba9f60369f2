// Parses a q-SQL query into its syntax (syntax.h).
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "queries/syntax.h"

namespace hdbench {

// select|exec [columns] [by columns] from table [where conditions] (docs/q-grammar.md)
Result<ParsedQuery> parse_query(std::string_view text);

}  // namespace hdbench

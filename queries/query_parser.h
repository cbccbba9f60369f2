// Parses the text of a q-SQL query into its syntax tree (syntax.h).
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// The whole text (docs/q-grammar.md). A table that is made otherwise than by a query (aj, a join, a
// sort) is a query of all its columns.
Result<Query> parse_query(std::string_view text);

// A query within another one, from select, exec or update on, so deep in it; without its text.
Result<Query> parse_query_at(TokenReader& reader, int depth);

// Makes of a deletion the rows that stay: those that do not pass all of the conditions; none
// without conditions and columns. Errors: both; a later condition that depends on the rows left so
// far.
Status keep_others(Query& query, std::size_t place);

}  // namespace hdbench::queries

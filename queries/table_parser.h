// Parses what gives a table: a name, a query, joins of tables and stages that a table passes.
#pragma once

#include "engine/base/result.h"
#include "queries/lexer.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Behind `from` a comma separates what is not of the table.
enum class TableCommas { kJoin, kEnd };

// Read from right to left as an expression is.
Result<TableSyntax> parse_table(TokenReader& reader, int depth, TableCommas commas);

// Whether a stage, a join or a functional form begins here, or a query.
bool begins_table(const TokenReader& reader);

}  // namespace hdbench::queries

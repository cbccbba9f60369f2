// Finds the column that a name in the text refers to.
#pragma once

#include <cstddef>
#include <string>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "queries/query.h"
#include "queries/syntax.h"

namespace hdbench::queries {

// Returns the field's index. Errors: no such column; lists the table's columns, caret at the name.
// A field that cannot be read: its own error, without a caret, unless it may be named; then what is
// followed through a link that cannot be read is the link.
Result<std::size_t> find_column(const Table& table, const Name& name,
                                Unreadable unreadable = Unreadable::kError);

// What q calls the result of a column: followed ones without their link (`lk.price`: price).
std::string result_name(const Field& field);

}  // namespace hdbench::queries

// What becomes of rows between a plan and the one above it, by the definitions of
// docs/q-semantics.md: every element is found anew among all rows.
#pragma once

#include <vector>

#include "engine/operator/plan.h"
#include "engine/testing/plain_cells.h"

namespace hdbench {

// Puts the window's column behind those of the rows. A sum of floats that moves is exact and
// rounded once; one that does not is rounded row by row, as it is defined.
void add_window(const Window& window, std::vector<Row>& rows);

// The source's columns. Requires: a join.
std::vector<Row> joined_rows(const PlanSource& source, const std::vector<Row>& left,
                             const std::vector<Row>& right);

// The first of equal rows.
std::vector<Row> distinct_rows(const std::vector<Row>& rows);

// Rows that are equal in the order keep theirs.
std::vector<Row> rows_in_order(const RowOrder& order, const std::vector<Row>& rows);

// `schema`: of the rows; of none that are repeated nulls are taken.
std::vector<Row> taken_rows_of(const RowTake& take, const std::vector<Row>& rows,
                               const Schema& schema);

// `schema`: of the rows that are brought together.
std::vector<Row> listed_rows(const RowLists& lists, const std::vector<Row>& rows,
                             const Schema& schema);

// The items of lists, a row each. Requires: lists of one length a row.
std::vector<Row> item_rows_of(const std::vector<Row>& rows, const Schema& lists);

}  // namespace hdbench

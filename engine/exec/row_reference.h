// The reference implementation for property tests: one row at a time, with std::map and __float128.
// Shares only the plan and the table with the executor.
#pragma once

#include <string>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench {

// A result as text cells: raw bytes of scalars in hexadecimal, symbols and strings as they read.
struct PlainResult {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

// Requires: a table whose columns can all be mapped, in memory.
PlainResult run_by_rows(const Table& table, const Plan& plan);

PlainResult to_plain(const ResultTable& result);

// Where two results first differ, in words; empty when they are equal.
std::string first_difference(const PlainResult& found, const PlainResult& expected);
inline constexpr std::string_view kNoDifference;

}  // namespace hdbench

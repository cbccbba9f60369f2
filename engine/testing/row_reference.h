// The reference implementation for property tests: one row at a time, with std::map and __float128,
// for every plan. Shares only the plan and the table with the executor, and the type that a
// function gives (window_type).
#pragma once

#include <string>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench {

// A result as text cells: raw bytes of scalars in hexadecimal, symbols and strings as they read,
// lists as the type of their items and these.
struct PlainResult {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
};

// `table`: what a plan without a source runs over. Requires: tables whose columns can all be
// mapped, in memory; a plan that the executor runs without an error.
PlainResult run_by_rows(const Table& table, const Plan& plan);

PlainResult to_plain(const ResultTable& result);

// Where two results first differ, in words; empty when they are equal.
std::string first_difference(const PlainResult& found, const PlainResult& expected);
inline constexpr std::string_view kNoDifference;

}  // namespace hdbench

// What executing a plan will read, without executing it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/exec/execute.h"
#include "engine/operator/plan.h"

namespace hdbench {

struct Explanation {
  // Of a plan whose rows others make: those that read a table, in the order in which they run, and
  // what is made of their rows, a line a step; the rest is then empty.
  std::vector<Explanation> leaves;
  std::vector<std::string> steps_above;
  std::string table;  // of a leaf
  std::uint64_t parts_total = 0;
  std::uint64_t parts_scanned = 0;
  std::uint64_t rows_scanned = 0;  // rows of the parts that are left
  struct Step {
    std::string condition;
    enum class How { kPrune, kIndex, kScan } how = How::kScan;
    std::string note;  // e.g. a date condition that is not first prunes nothing
    std::uint64_t bytes = 0;
  };
  std::vector<Step> steps;  // in the order of execution
  struct ColumnBytes {
    std::string column;
    std::uint64_t bytes = 0;  // at most, were every row of the parts left to pass
  };
  std::vector<ColumnBytes> columns;  // every column read, conditions' included
  // Fields that the query computes: the text, and the columns that it reads.
  struct Computed {
    std::string text;
    std::vector<std::string> columns;
  };
  std::vector<Computed> computed;
  // The table's fields that no query may name, and columns of the plan that some of the parts left
  // do not have whole, each with the reason; parts that cannot be read.
  std::vector<std::string> unreadable;
  // The first of these that the plan needs: executing it ends with this error.
  std::optional<Error> error;
};

// Maps the columns that the plan reads in the parts left, whether all can be read or not. Requires:
// a plan, bound with Unreadable::kNamed or not.
Explanation explain(const Table& table, const Plan& plan, const ExecuteSettings& settings);

// As text for a terminal.
std::string to_text(const Explanation& explanation);

}  // namespace hdbench

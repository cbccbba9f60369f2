// How many rows a query has at each of its steps: what kdb+'s memory is counted from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"

namespace hdbench::bench {

struct KdbPartSteps {
  std::uint64_t rows = 0;
  std::vector<std::uint64_t> left;  // after each condition, in the order written
  std::uint64_t groups = 0;         // of by, or of different rows, among the rows left

  std::uint64_t found() const { return left.empty() ? rows : left.back(); }
};

// The steps of a plan, and of those below it.
struct KdbSteps {
  // Those that the condition on the partition leaves; one of a table that has no partitions.
  std::vector<KdbPartSteps> parts;
  std::uint64_t groups = 0;                    // of all parts together
  std::uint64_t rows = 0;                      // of the result
  std::shared_ptr<const KdbSteps> left = {};   // of the source's sides, where there are such
  std::shared_ptr<const KdbSteps> right = {};  // null where it runs over the left one's rows
  std::vector<std::shared_ptr<const KdbSteps>> condition_queries = {};

  std::uint64_t found() const;
};

// Runs a plan over a table (null: its source makes the rows) and passes on the result.
using KdbRun = std::function<Status(const Table* table, const Plan& plan,
                                    const std::function<void(const ResultTable&)>& use)>;

// Counts them by running parts of the plan. Errors: those of running them.
Result<KdbSteps> count_steps(const Table* table, const Plan& plan, const KdbRun& run);

// What is known of a query without its data: each step has what is told of the whole.
struct KdbGuess {
  std::uint64_t rows = 0;        // of the partitions that are read, together
  std::uint64_t partitions = 1;  // so many
  std::uint64_t matches = 0;     // rows that all conditions leave
  std::uint64_t distinct = 1;    // groups of by, in all
};
KdbSteps guess_steps(const Plan& plan, bool is_partitioned, const KdbGuess& guess);

}  // namespace hdbench::bench

// Runs the cells through Google Benchmark: each is a benchmark with manual time, called once a
// repetition, so that its flags (a filter, perf counters) have their usual meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/name_pattern.h"
#include "engine/base/result.h"

namespace hdbench {

// What a call of a cell gave.
struct CalledOnce {
  double real_ms = 0;
  std::uint64_t bytes = 0;  // read and written
  std::uint64_t rows = 0;   // of the result
};

struct GoogleCell {
  std::string name;
  // Nothing: there is no figure (0N). An error ends the round: no cell after it is called.
  std::function<Result<std::optional<CalledOnce>>()> call;
};

// Calls each cell once, in this order. Errors: that of the cell that gave one.
Status run_google_cells(const std::vector<GoogleCell>& cells);

// The flags that begin with --benchmark_.
struct GoogleFlags {
  std::string filter;  // of cells' names: a regular expression; "-..." leaves those out
  bool list = false;   // the names, and nothing is run
  std::optional<std::size_t> repetitions;
  bool json = false;  // on standard output
};

// Takes those that say what hdbench's own flags say; the others go to the library. Errors: kUsage
// for one that the library does not know, or that cannot mean anything here, and why.
Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments);

// Which cells a filter holds for. Errors: kUsage: not a regular expression.
class CellFilter {
 public:
  CellFilter() = default;  // all
  static Result<CellFilter> make(const std::string& text);

  bool holds(const std::string& name) const;
  bool holds_all() const { return pattern_.is_everywhere(); }

 private:
  NamePattern pattern_;
  bool leaves_out_ = false;
};

}  // namespace hdbench

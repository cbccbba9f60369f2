// The flags of `hdbench run`, and the plan made from them and an experiment file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/output_file.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/flag_set.h"
#include "bench/cli/machine_flags.h"
#include "bench/run/matrices.h"
#include "bench/run/users_cells.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Google Benchmark's flags (--benchmark_...), as far as they have a meaning here.
struct GoogleFlags {
  std::string filter;  // of cells' names: a regular expression; "-..." leaves those out
  bool list = false;   // the names, and nothing is run
  std::optional<std::size_t> repetitions;
  bool json = false;                                         // on standard output
  std::vector<std::pair<std::string, std::string>> context;  // entries of results.json's context
};

// Errors: kUsage for any other flag, saying what to use.
Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments);

struct RunFlags {
  AxisFlags axes;
  std::string queries;
  std::optional<std::size_t> repetitions;
  std::optional<std::size_t> repetitions_most;
  std::optional<double> precision_percent;
  std::optional<std::size_t> visits;
  std::optional<std::string> budget;
  std::string out;
  std::string google_out;  // --benchmark_out: the same file
  bool force = false;
  bool resume = false;
  std::uint64_t order_seed = 1;
  std::string experiment;
  std::optional<double> scale;
  std::string data_dir;
  UsersWords users;
  std::string peers;
  std::string peers_python;
  std::vector<std::string> axis_words;  // those of the axes' flags that were given: "--medium"
  GoogleFlags google;
  MachineFlags machine;  // --volume

  OutputFile output() const { return {"--out", out, force}; }
};

// Adds all flags, and takes Google Benchmark's as what is left over.
void add_run_flags(FlagSet& command, RunFlags& flags);
// After parsing. Errors: kUsage for a flag that is not known, or two that do not go together.
Status finish_run_flags(const FlagSet& command, RunFlags& flags);

// Errors: kUsage, for what is missing, unknown or does not go together; find_experiment()'s;
// peer_options()'s. Media without a profile mean what this machine has: standard error says so.
Result<RunPlan> plan_run(const RunFlags& flags);

}  // namespace hdbench::bench

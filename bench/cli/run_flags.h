// The flags of `hdbench run`, and the plan made from them and an experiment file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/output_file.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/flag_set.h"
#include "bench/cli/machine_flags.h"
#include "bench/model/repetition_rule.h"
#include "bench/run/google_cells.h"
#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench {

struct RunFlags {
  AxisFlags axes;
  std::string queries;
  std::optional<std::size_t> repetitions;
  std::optional<std::size_t> repetitions_most;
  std::optional<double> precision_percent;
  std::optional<std::size_t> visits;
  std::optional<double> budget_minutes;
  std::string out;
  std::string google_out;  // --benchmark_out: the same file
  bool force = false;
  std::string table = "summary";  // or full
  bool resume = false;
  std::uint64_t order_seed = 1;
  std::string experiment;
  std::optional<double> scale;
  std::string data_dir;
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

struct RunDataset {
  std::string name;  // Setting's: empty where there is one only
  std::filesystem::path directory;
  std::optional<datagen::Spec> spec;  // it is made where it is not there
};

// A matrix over a dataset.
struct RunPart {
  std::size_t dataset = 0;
  AxisFlags axes;
  std::filesystem::path query_file;
};

struct RunPlan {
  std::string title;           // of the experiment; empty: none
  RepetitionRule repetitions;  // of all visits together
  std::size_t visits = 1;
  std::optional<double> budget_s;
  CellFilter filter;
  std::vector<RunDataset> datasets;
  std::vector<RunPart> parts;  // those of a dataset stand together
  std::vector<std::string> left_out;
};

// Errors: kUsage, for what is missing, unknown or does not go together; find_experiment()'s.
Result<RunPlan> plan_run(const RunFlags& flags);

}  // namespace hdbench

// An experiment file: a matrix of axes (or several) over one database or more, in TOML.
//
//   title = "..."            budget_minutes = 15
//   scale = 0.05             # of generated databases; --scale replaces it
//   repetitions = 5          repetitions_most = 25       precision_percent = 5
//   visits = 3               # how often each medium and layout is loaded anew
//   [[database]]             # generated where the command line names none
//   name = "paper"  profile = "paper"  share = 1.0  parted = "col3"  columns = 9  seed = 1
//   [[matrix]]
//   database = "paper"  queries = "paper.q"
//   medium = ["nvme"]  layout = ["partitioned"]  attr = [..]  mode = [..]  threads = [1, "all"]
//   limit = [0]  cache = ["cold"]  codes = [..]  prefetch = [..]
//
// An axis that a matrix leaves out is `run`'s default; a name that is none of these is an error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run/users_cells.h"
#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct ExperimentDatabase {
  std::string name;
  double share = 1;    // of the experiment's scale
  datagen::Spec spec;  // scale left out
};

struct ExperimentMatrix {
  std::string database;                     // a name above; empty: the first, or the user's
  std::string queries;                      // a query file's name or path; empty: the default
  std::map<std::string, std::string> axes;  // "medium" -> "nvme,dram": as the flags take them
  UsersWords users = {};
};

struct Experiment {
  std::string title;
  double scale = 1;
  std::optional<std::size_t> repetitions;
  std::optional<std::size_t> repetitions_most;
  std::optional<double> precision_percent;
  std::optional<std::size_t> visits;
  std::optional<double> budget_s;
  std::vector<ExperimentDatabase> databases;
  std::vector<ExperimentMatrix> matrices;
};

// Errors: kUsage, naming the file, the line and what was expected.
Result<Experiment> parse_experiment(std::string_view text, const std::string& file);

// `name` is a file, or one of bench/experiments (paper, quick, ...). Errors: kUsage, listing those.
Result<Experiment> find_experiment(const std::string& name);

}  // namespace hdbench::bench

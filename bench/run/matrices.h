// A run: the matrices of a plan over their databases, as one result.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/machine/preflight.h"
#include "bench/model/query_list.h"
#include "bench/model/repetition_rule.h"
#include "bench/peers/peer_cells.h"
#include "bench/results/results_json.h"
#include "bench/run/expected_counts.h"
#include "bench/run/matrix_run.h"
#include "bench/run/session.h"
#include "bench/run/users_cells.h"
#include "datagen/spec.h"
#include "engine/base/result.h"
#include "pmem/machine/block_device.h"

namespace hdbench::bench {

struct RunDataset {
  std::string name;  // Setting's: empty where there is one only
  std::filesystem::path directory;
  std::optional<datagen::Spec> spec;  // it is made where it is not there
  double scale_share = 1;             // of --scale, in the spec's scale
};

// A matrix over a dataset.
struct RunPart {
  std::size_t dataset = 0;
  SessionOptions session;
  std::map<std::string, std::string> axes;  // a comma list each
  UsersPlan users = {};
  std::filesystem::path query_file;
};

struct RunPlan : RunRules {
  std::string title;  // of the experiment; empty: none
  std::optional<double> budget_s;
  std::string volume;   // Setting's
  std::string tiering;  // KernelTiering's
  std::vector<std::pair<std::string, std::string>> benchmark_context;
  std::vector<RunDataset> datasets;
  std::vector<RunPart> parts;  // those of a dataset stand together
  std::vector<std::string> left_out;
};

class Matrices {
 public:
  // The plan must outlive this.
  explicit Matrices(const RunPlan& plan);

  // Opens the databases, which are there, and lists the cells; nothing is loaded. Errors: those of
  // databases, axes and queries; kUsage for peers without cells to compare them with.
  Status open();

  // Instead of all that follows, on a rank other than 0 of an MPI job: does what rank 0's run needs
  // of it, until that ends.
  Status serve();

  std::size_t placement_count() const { return placement_count_; }  // of all matrices
  const std::vector<std::string>& cell_names() const { return cell_names_; }
  double estimate_s() const { return estimate_s_; }
  // Of the largest placement, the most threads, the smallest database, and the disks of cold cells.
  const PreflightScope& scope() const { return scope_; }

  // Goes on from an earlier session's results. Errors: kUsage where they are of another run, or
  // hold cells that this one would lose.
  Status resume(SavedRun saved);
  void add_notes(const std::vector<PreflightNote>& notes);

  // Called while cells are run, when outcome() has what they are called with; either may be empty.
  struct Keeper {
    std::function<void(const std::vector<CellResult>& cells)> round;  // RunRequest's keep_round
    std::function<void(const Visit& visit)> visit;                    // RunRequest's keep
  };
  // Runs all cells.
  Status run(const Keeper& keeper);

  // Whether run() has taken over what was resumed, so that outcome() holds all of it.
  bool is_begun() const { return is_begun_; }

  // What all matrices have given.
  RunOutcome outcome() const;
  // Row counts that are known beforehand, held against these cells.
  CountCheck check_counts_of(const std::vector<CellResult>& cells) const;

 private:
  struct Matrix {
    std::unique_ptr<Session> session;
    std::vector<ListedQuery> queries;
    RowCounts expected;
    RunRequest request;
    std::unique_ptr<MatrixRun> run;
  };

  Status open_part(const RunPart& part);
  void take_scope(const PreflightScope& part);
  void fill_context();
  Status describe_ranks();
  double elapsed_s() const;

  const RunPlan& plan_;
  std::chrono::steady_clock::time_point begin_;
  std::vector<std::unique_ptr<Matrix>> matrices_;
  RunContext context_;  // what outcome() begins with
  std::vector<std::string> cell_names_;
  std::size_t placement_count_ = 0;
  double estimate_s_ = 0;
  PreflightScope scope_;
  std::optional<BlockDevice> disk_;  // the first database's, as it was
  std::optional<SavedRun> saved_;
  bool is_begun_ = false;
};

}  // namespace hdbench::bench

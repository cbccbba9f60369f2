// The cells of several users on the placements of one matrix: which are asked for, which an earlier
// session has, and their rounds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/model/axes.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/model/time_budget.h"
#include "bench/model/users_cell.h"
#include "bench/run/session.h"
#include "bench/run/table_placement.h"
#include "bench/run/users_cells.h"
#include "bench/users/query_mix.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class PlacementUsers {
 public:
  // `cells` are those of the matrix's outcome, which this adds to. What is handed in must outlive
  // this.
  PlacementUsers(Session& session, const UsersPlan& plan, const NamePattern& filter,
                 const std::vector<ListedQuery>& queries, std::vector<UsersCell>& cells)
      : session_(session), plan_(plan), filter_(filter), queries_(queries), cells_(cells) {}

  // Once, first. Errors: read_mix()'s.
  Status begin();

  // Of a placement that has these settings.
  std::vector<UsersQuestion> asked(const std::vector<Setting>& settings) const;
  // Those that are not whole in `cells`.
  std::vector<UsersQuestion> missing(const std::vector<Setting>& settings) const;
  // Of what is missing.
  double estimate_s(const std::vector<Setting>& settings) const;

  // Takes an earlier session's whole cells that ask what is asked now. Errors: an answer of theirs
  // is not the other cells'.
  Status take(const std::vector<Setting>& settings, const std::vector<UsersCell>& before,
              ChecksumLedger& ledger);

  struct Beside {
    std::string title;  // of the placement
    const TimeBudget& budget;
    ChecksumLedger& ledger;
    std::function<void()> keep;                              // after each round
    std::function<void(const std::string& line)> leave_out;  // what cannot be, or the budget ended
  };
  // Measures what is missing. Errors: run_users_round()'s.
  Status run(const std::vector<Setting>& settings, const BoundQueries& bound,
             TablePlacement& placement, const Beside& beside);

 private:
  std::string refusal(const BoundQueries& bound, TablePlacement& placement) const;
  void keep(const UsersCell& cell);

  Session& session_;
  const UsersPlan& plan_;
  const NamePattern& filter_;
  const std::vector<ListedQuery>& queries_;
  std::vector<UsersCell>& cells_;
  QueryMix mix_;
};

}  // namespace hdbench::bench

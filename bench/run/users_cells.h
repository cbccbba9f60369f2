// The cells of `--users` and `--arrivals` on one placement: for each a pool of processes is forked
// when the placement is loaded, so that all of them have its bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/model/cell_result.h"
#include "bench/model/query_list.h"
#include "bench/model/users_cell.h"
#include "bench/run/session.h"
#include "bench/run/table_placement.h"
#include "bench/users/load.h"
#include "bench/users/query_mix.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// What a command asks for beside the axes, as its words and as what they mean. Empty: not said.
struct UsersWords {
  std::string users = {};      // "1,10,50"
  std::string arrivals = {};   // "20,50/s"
  std::string processes = {};  // "2,4"
  std::string mix = {};        // a file
  std::string seconds = {};    // "10"
};

// As experiment files name them; flags have -- before.
constexpr std::array<std::pair<std::string_view, std::string UsersWords::*>, 5> kUsersWords{{
    {"users", &UsersWords::users},
    {"arrivals", &UsersWords::arrivals},
    {"processes", &UsersWords::processes},
    {"mix", &UsersWords::mix},
    {"seconds", &UsersWords::seconds},
}};

struct UsersPlan {
  std::vector<std::size_t> users;      // of closed loops
  std::vector<double> arrivals;        // per second, of open ones
  std::vector<std::size_t> processes;  // empty: what the CPUs can run at once, by threads
  std::filesystem::path mix;           // empty: each query as often
  double seconds = 10;                 // measured for a cell, at least, in kUsersRounds
  std::uint64_t seed = 1;

  bool is_any() const { return !users.empty() || !arrivals.empty(); }
};

constexpr std::size_t kUsersMost = 10'000;
constexpr std::size_t kProcessesMost = 1'000;
constexpr double kUsersSecondsMost = 86'400;

// Errors: kUsage, naming the flag and the word: no number, or one that is out of range; a pool or a
// mix without users or arrivals.
Result<UsersPlan> plan_users(const UsersWords& words, std::uint64_t seed);

// Whether the ranks of a job can share them. Errors: kUsage: fewer users than ranks.
Status check_under_ranks(const UsersPlan& plan, std::size_t ranks);

// Every pool and loop under these settings, in the order in which they run, without their mix.
std::vector<UsersQuestion> users_questions(const UsersPlan& plan,
                                           const std::vector<Setting>& settings, std::size_t cpus);

// Why users cannot be on this placement; empty: they can. A disk that is emulated has its page
// cache in this process; a device that is only modelled keeps nobody waiting; results that lie in a
// file or on a device would be the same bytes in all processes.
std::string users_refusal(Session& session, TablePlacement& placement);

// A cell, and the rounds that it has so far.
struct UsersMeasured {
  UsersCell cell;
  std::vector<LoadRound> rounds = {};
};

// What this process's pool answers of a round. `go` is called once, with whether the pool is there,
// and returns when all ranks begin, or why they do not. `warn`: of a process that has died. Errors:
// as run_users_round().
Status run_users_part(Session& session, const BoundQueries& bound, TablePlacement& placement,
                      const LoadPlan& load, ChecksumLedger& ledger,
                      const std::function<void(double share)>& show,
                      const std::function<void(const std::string& line)>& warn,
                      const std::function<Status(const Status& ready)>& go, UsersCell& cell,
                      LoadRound& round);

// Runs a round of one, on all ranks, and works out its figures anew. What ends it without figures
// is the cell's error, a process that cannot be made among it. Errors: a checksum that is not the
// other cells'; kUsage "interrupted"; kData: a state of the cache not reached; kLimit under
// --on-limit exit.
Status run_users_round(Session& session, const BoundQueries& bound, TablePlacement& placement,
                       const UsersPlan& plan, const QueryMix& mix, ChecksumLedger& ledger,
                       const std::function<void(double share)>& show, UsersMeasured& measured);

}  // namespace hdbench::bench

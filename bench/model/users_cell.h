// The result of one cell with several users: queries of a mix, put by users or by a clock to a pool
// of processes, under one setting of the axes.
//
// An answer's time counts from the moment at which its user wanted to ask: of a closed loop the
// user's last answer, of an open one the time that its schedule gives, however late the query was
// put. It is complete when the process has read every byte of the result once (its checksum), which
// stands for sending it to the user. Times are ms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/base/layers.h"
#include "bench/model/axes.h"

namespace hdbench::bench {

// Which users, of which pool.
struct UsersQuestion {
  Setting setting;
  std::size_t processes = 1;
  std::size_t users = 0;       // of a closed loop, each with one query at a time; 0: arrivals
  double arrivals_per_s = 0;   // of an open loop
  std::string mix = {};        // "Q01 3, Q02 1": how often each is dealt
  std::string mix_texts = {};  // XXH3 of its queries' texts, 16 hexadecimal digits
  double asked_seconds = 0;    // to be measured, at least

  // "users:10/processes:2/medium:..." or "arrivals:50/...".
  std::string name() const;
};

struct LatencyFigure {
  double ms = 0;
  std::optional<Interval> interval;
};

struct UsersCell : UsersQuestion {
  bool emulated = false;
  std::string medium_label;

  std::size_t rounds = 0;     // apart in time, each with a pool of its own
  double seconds = 0;         // that were measured in all of them, after a beginning that was not
  std::uint64_t answers = 0;  // in them
  double per_s = 0;
  std::optional<Interval> per_s_interval;
  // Nothing: fewer than 1 / (1 - part) answers, or arrivals above what the pool can bear.
  std::optional<LatencyFigure> p50, p90, p99, p999;
  double max_ms = 0;
  // Means of an answer's parts, which add up to its time.
  double queued_ms = 0;   // until a process began with it
  double served_ms = 0;   // the query, as a cell times it
  double checked_ms = 0;  // its result read, and handed over
  // Users who wait for an answer, averaged over the time; by Little's law per_s x the mean time.
  double in_system = 0;
  double cpus = 0;      // that the processes kept busy
  double gb_per_s = 0;  // read from the medium by queries
  std::optional<double> device_gb_per_s;
  // Arrivals were above what the pool can bear: per_s is what it can, and times would grow with the
  // length of the run.
  bool overrun = false;
  // Of an open loop: arrivals over what the pool bears; below 1 but for an overrun.
  std::optional<double> offered_load;
  std::uint64_t lost = 0;  // queries whose process died
  std::size_t died = 0;    // processes
  std::vector<std::pair<int, std::uint64_t>> answers_by_query;
  std::vector<std::pair<int, std::uint64_t>> checksums;  // of every query's answers
  std::optional<std::string> error;                      // why there are no figures

  double mean_ms() const { return queued_ms + served_ms + checked_ms; }
  // in_system over per_s x mean_ms(); nothing without answers.
  std::optional<double> littles_ratio() const;
};

// What several cells of one pool say together: the users from which on throughput grows no more.
struct Saturation {
  double most_per_s = 0;
  std::size_t at_users = 0;  // the fewest that reach kReached of it
  bool is_reached = false;   // false: the most users still added to it: it may be higher
  static constexpr double kReached = 0.95;
};

// Cells of one setting and pool, closed loops, in any order. Nothing for fewer than two.
std::optional<Saturation> saturation_of(const std::vector<UsersCell>& cells);

// Whether both have the same setting, pool and mix, so that they are points of one line.
bool is_same_pool(const UsersCell& a, const UsersCell& b);

// Whether both ask the same of the same pool.
bool is_same_question(const UsersQuestion& a, const UsersQuestion& b);

// Rounds that a cell has when it is whole.
constexpr std::size_t kUsersRounds = 3;

}  // namespace hdbench::bench

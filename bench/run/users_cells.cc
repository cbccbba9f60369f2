#include "bench/run/users_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/base/report_error.h"
#include "bench/users/rank_load.h"
#include "bench/users/worker_pool.h"
#include "engine/base/thread_pool.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

// What a process of the pool does with queries.
class Server {
 public:
  Server(Session& session, const BoundQueries& bound, TablePlacement& placement,
         const Setting& setting)
      : session_(session), bound_(bound), placement_(placement), setting_(setting) {}

  // A file's pages are mapped by each process for itself.
  Status begin(std::size_t worker, const std::vector<EmulatedMeter*>& meters) {
    leave_cpus_to_others();
    for (EmulatedMeter* const meter : meters) meter->be_process(worker);
    if (setting_.cache == Cache::kWarm) HDB_TRY(placement_.medium().prepare(Cache::kWarm));
    session_.pools().of(setting_.threads);
    cpu_ms_ = process_cpu_ms();
    return ok_status();
  }

  void serve(const Ask& ask, Reply& answer) {
    const Result<TimedRun> run = session_.run(bound_.at(ask.query), setting_, placement_.medium());
    if (!run.ok()) return answer.fail(run.error().message);
    if (!run->table) {
      answer.is_limit = true;
      return answer.fail(run->limit_message);
    }
    answer.served_ns = static_cast<std::uint64_t>(run->real_ms * 1e6);
    answer.bytes_read = run->stats.bytes_read;
    answer.is_device_known = run->device_bytes.has_value();
    answer.device_bytes = run->device_bytes.value_or(0);
    answer.checksum = checksum(*run->table);
    answer.has_result = true;
    const double now_ms = process_cpu_ms();
    answer.cpu_ns = static_cast<std::uint64_t>((now_ms - cpu_ms_) * 1e6);
    cpu_ms_ = now_ms;
  }

 private:
  Session& session_;
  const BoundQueries& bound_;
  TablePlacement& placement_;
  const Setting& setting_;
  double cpu_ms_ = 0;
};

// While it lives, so many processes that are forked share the devices of these meters.
class SharedDevices {
 public:
  SharedDevices(std::vector<EmulatedMeter*> meters, std::size_t processes)
      : meters_(std::move(meters)) {
    for (EmulatedMeter* const meter : meters_) meter->share_between(processes);
  }
  ~SharedDevices() {
    for (EmulatedMeter* const meter : meters_) meter->share_between(0);
  }
  SharedDevices(const SharedDevices&) = delete;
  SharedDevices& operator=(const SharedDevices&) = delete;

  const std::vector<EmulatedMeter*>& meters() const { return meters_; }
  void forget(std::size_t process) {
    for (EmulatedMeter* const meter : meters_) meter->forget_process(process);
  }

 private:
  std::vector<EmulatedMeter*> meters_;
};

// The pool's processes share what memory is left.
Setting with_limit_of_process(Session& session, Medium& medium, Setting setting,
                              std::size_t processes) {
  const std::uint64_t bytes = session.limit_bytes(setting, medium);
  if (setting.limit_mib == 0 && bytes != 0)
    setting.limit_mib = std::max<std::uint64_t>(1, (bytes / processes) >> 20);
  return setting;
}

// A cell with an error has none of the rounds before it either.
void lose_figures(UsersCell& cell) {
  UsersCell failed;
  static_cast<UsersQuestion&>(failed) = cell;
  failed.emulated = cell.emulated;
  failed.medium_label = cell.medium_label;
  failed.died = cell.died;
  failed.lost = cell.lost;
  failed.error = cell.error;
  cell = std::move(failed);
}

Result<double> number_in(std::string_view flag, std::string_view word, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = error == std::errc{} && end == word.data() + word.size();
  if (is_number && value >= least && value <= most) return value;
  return usage_error(
      fmt::format("{}: '{}' is not a number from {} to {}", flag, word, least, most));
}

Result<std::vector<std::size_t>> counts_in(std::string_view flag, const std::string& list,
                                           std::size_t most) {
  std::vector<std::size_t> counts;
  if (list.empty()) return counts;
  HDB_ASSIGN(const auto words, parse_words(flag, list));
  for (const std::string& word : words) {
    HDB_ASSIGN(const double value, number_in(flag, word, 1, static_cast<double>(most)));
    if (value != std::floor(value))
      return usage_error(fmt::format("{}: '{}' is not a whole number", flag, word));
    counts.push_back(static_cast<std::size_t>(value));
  }
  return counts;
}

Result<std::vector<double>> rates_in(const std::string& list) {
  constexpr double kRateLeast = 0.001;
  constexpr double kRateMost = 1e6;
  std::vector<double> rates;
  if (list.empty()) return rates;
  HDB_ASSIGN(const auto words, parse_words("--arrivals", list));
  for (std::string_view word : words) {
    if (word.ends_with("/s")) word.remove_suffix(2);
    HDB_ASSIGN(const double rate, number_in("--arrivals", word, kRateLeast, kRateMost));
    rates.push_back(rate);
  }
  return rates;
}

}  // namespace

Result<UsersPlan> plan_users(const UsersWords& words, std::uint64_t seed) {
  UsersPlan plan;
  HDB_ASSIGN(plan.users, counts_in("--users", words.users, kUsersMost));
  HDB_ASSIGN(plan.arrivals, rates_in(words.arrivals));
  HDB_ASSIGN(plan.processes, counts_in("--processes", words.processes, kProcessesMost));
  plan.mix = words.mix;
  plan.seed = seed;
  if (!words.seconds.empty()) {
    HDB_ASSIGN(plan.seconds, number_in("--seconds", words.seconds, 0.1, kUsersSecondsMost));
  }
  if (plan.is_any()) return plan;
  for (const auto& [flag, word] :
       {std::pair{"--processes", &words.processes}, std::pair{"--mix", &words.mix},
        std::pair{"--seconds", &words.seconds}}) {
    if (!word->empty())
      return usage_error(fmt::format("{}: it is about users: add --users or --arrivals", flag));
  }
  return plan;
}

Status check_under_ranks(const UsersPlan& plan, std::size_t ranks) {
  for (const std::size_t users : plan.users) {
    if (users < ranks)
      return usage_error(fmt::format(
          "--users {}: each of {} ranks answers users of its own: give as many at least", users,
          ranks));
  }
  return ok_status();
}

std::vector<UsersQuestion> users_questions(const UsersPlan& plan,
                                           const std::vector<Setting>& settings, std::size_t cpus) {
  std::vector<UsersQuestion> questions;
  for (const Setting& setting : settings) {
    std::vector<std::size_t> pools = plan.processes;
    if (pools.empty()) pools = {std::max<std::size_t>(1, cpus / setting.threads)};
    for (const std::size_t processes : pools) {
      for (const std::size_t users : plan.users)
        questions.push_back({setting, processes, users, 0, {}, {}, plan.seconds});
      for (const double rate : plan.arrivals)
        questions.push_back({setting, processes, 0, rate, {}, {}, plan.seconds});
    }
  }
  return questions;
}

std::string users_refusal(Session& session, TablePlacement& placement) {
  Medium& medium = placement.medium();
  std::vector<Medium*> used = medium.parts();
  std::vector<Medium*> own = {&session.result_medium_of(medium)};
  if (Medium* const spill = session.spill_medium_of(medium)) own.push_back(spill);
  used.insert(used.end(), own.begin(), own.end());
  for (Medium* const part : used) {
    EmulatedMedium* const emulated = as_emulated(*part);
    if (emulated == nullptr) continue;
    if (emulated->mode() == EmulationMode::kModel)
      return "--users: a device that is only modelled keeps nobody waiting: --emulation wall";
    if (emulated->has_cache())
      return "--users: an emulated disk's page cache is one process's: take the real disk";
  }
  for (Medium* const one : own) {
    const std::string name = one->name();
    const bool is_shared = name.starts_with("tmpfs") || name.starts_with("app-direct");
    if (!is_shared || as_emulated(*one) != nullptr) continue;
    return fmt::format("--users: results of several processes cannot lie on {}: take dram", name);
  }
  if (session.options().limit_rule.spill == kSpillFile)
    return "--users: processes cannot share one file that -w spills to: --on-limit abort, or "
           "spill=cxl, numa:N or dram";
  return {};
}

Status run_users_part(Session& session, const BoundQueries& bound, TablePlacement& placement,
                      const LoadPlan& load, ChecksumLedger& ledger,
                      const std::function<void(double share)>& show,
                      const std::function<void(const std::string& line)>& warn,
                      const std::function<Status(const Status& ready)>& go, UsersCell& cell,
                      LoadRound& round) {
  Medium& medium = placement.medium();
  if (const auto state = medium.prepare(cell.setting.cache); !state.ok()) {
    static_cast<void>(go(state.error()));
    return state.error();
  }
  session.trim_results_of(medium);
  session.release_read_ahead();
  session.pools().release();  // a process that is forked has one thread
  const Setting setting = with_limit_of_process(session, medium, cell.setting, cell.processes);
  SharedDevices devices(session.meters_of(medium), cell.processes);
  Server server(session, bound, placement, setting);
  const auto begin = [&](std::size_t worker) -> WorkerPool::Serve {
    const Status begun = server.begin(worker, devices.meters());
    if (!begun.ok()) throw std::runtime_error(begun.error().message);
    return [&server](const Ask& ask, Reply& answer) { server.serve(ask, answer); };
  };
  WorkerPool::Rest rest;
  if (setting.cache == Cache::kCold) rest = [&medium] { medium.let_pages_go(); };
  const auto pool = WorkerPool::start(cell.processes, begin, rest);
  Status ready = go(pool.ok() ? ok_status() : Status(pool.error()));
  if (!ready.ok()) {
    if (ready.error().kind != ErrorKind::kData) return ready;
    cell.error = ready.error().message;
    return ok_status();
  }

  std::map<int, std::uint64_t> known;
  LoadWatch watch;
  watch.check = [&](int query, std::uint64_t checksum) -> Status {
    const auto [found, is_new] = known.try_emplace(query, checksum);
    if (!is_new && found->second == checksum) return ok_status();
    return ledger.add(query, query_label(query) + "/" + cell.name(), checksum);
  };
  watch.limit = [&](const std::string& line) {
    const bool exits = session.options().limit_rule.what == OnLimit::kExit;
    return exits ? Status(Error{ErrorKind::kLimit, cell.name() + ": " + line, {}}) : ok_status();
  };
  watch.show = show;
  watch.warn = warn;
  watch.forget = [&](std::size_t worker) { devices.forget(worker); };
  return run_load(**pool, load, watch, cell, round);
}

Status run_users_round(Session& session, const BoundQueries& bound, TablePlacement& placement,
                       const UsersPlan& plan, const QueryMix& mix, ChecksumLedger& ledger,
                       const std::function<void(double share)>& show, UsersMeasured& measured) {
  UsersCell& cell = measured.cell;
  cell.emulated = placement.medium().emulated();
  cell.medium_label = placement.medium().label();
  const LoadPlan load{cell.users, cell.arrivals_per_s, plan.seconds / kUsersRounds, mix,
                      plan.seed + measured.rounds.size()};
  RankCommands* const others = session.commands();
  if (others != nullptr) {
    const auto let_go = others->prepare(cell.setting.cache);
    if (!let_go.ok()) return let_go.error();
    if (cell.setting.cache == Cache::kCold) placement.medium().let_pages_go();
    others->begin_users(cell, load);
  }
  bool goes = false;
  const auto go = [&](const Status& own) {
    const Status all = others != nullptr ? others->let_users_go(own) : own;
    goes = all.ok();
    return all;
  };
  const std::size_t ranks = others != nullptr ? session.job_ranks()->count() : 1;
  std::vector<LoadRound> rounds(1);
  const Status own = run_users_part(
      session, bound, placement, part_of(load, 0, ranks), ledger, show,
      [](const std::string& line) { tell(line); }, go, cell, rounds.front());
  if (others != nullptr && goes) {
    HDB_ASSIGN(std::vector<LoadRound> theirs, others->take_users(cell));
    theirs.front() = std::move(rounds.front());
    rounds = std::move(theirs);
  }
  HDB_TRY(own);
  for (const LoadRound& one : rounds) {
    for (const auto& [query, checksum] : one.checksums)
      HDB_TRY(ledger.add(query, query_label(query) + "/" + cell.name(), checksum));
  }
  if (cell.error) {
    lose_figures(cell);
    return ok_status();
  }
  measured.rounds.push_back(joined_round(std::move(rounds)));
  take_rounds(measured.rounds, cell);
  return ok_status();
}

}  // namespace hdbench::bench

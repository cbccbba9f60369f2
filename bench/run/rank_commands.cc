#include "bench/run/rank_commands.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "bench/base/report_error.h"
#include "bench/machine/host.h"
#include "bench/machine/memory_ceilings.h"
#include "bench/machine/preflight.h"
#include "bench/results/results_json.h"
#include "bench/run/session.h"
#include "bench/run/users_cells.h"
#include "bench/users/rank_load.h"
#include "engine/base/thread_pool.h"
#include "engine/exec/shared_leaf.h"

namespace hdbench::bench {
namespace {

void put_setting(ByteSink& out, const Setting& setting) {
  out.put_text(setting.medium);
  out.put(setting.layout);
  out.put(setting.attr);
  out.put(setting.mode);
  out.put(setting.threads);
  out.put(setting.cache);
  out.put(setting.limit_mib);
  out.put(setting.codes);
  out.put(setting.prefetch);
  out.put(setting.compressed);
}

Setting take_setting(ByteSource& in) {
  Setting setting;
  setting.medium = in.take_text();
  setting.layout = in.take<Layout>();
  setting.attr = in.take<AttrUse>();
  setting.mode = in.take<Mode>();
  setting.threads = in.take<std::size_t>();
  setting.cache = in.take<Cache>();
  setting.limit_mib = in.take<std::uint64_t>();
  setting.codes = in.take<Codes>();
  setting.prefetch = in.take<Prefetch>();
  setting.compressed = in.take<Compressed>();
  return setting;
}

}  // namespace

enum class RankCommands::Command : std::uint8_t {
  kDescribe,
  kNetwork,
  kPlace,
  kBind,
  kPrepare,
  kVerify,
  kCeilings,
  kRenew,
  kRun,
  kUsers,
  kWait,
  kEnd
};

// A session that follows rank 0's.
class RankFollower {
 public:
  using Command = RankCommands::Command;

  explicit RankFollower(const FollowedSession& followed)
      : session_(followed.session), ranks_(*session_.job_ranks()), queries_(followed.queries) {}

  // False: rank 0's session has ended.
  bool obey(ByteSource& in) {
    const auto command = in.take<Command>();
    answer_ = ByteSink();
    switch (command) {
      case Command::kEnd: return false;
      case Command::kWait: break;
      case Command::kNetwork: serve_network(ranks_.job()); break;
      case Command::kRun: run(in); break;
      case Command::kUsers: answer_users(in); break;
      default: {
        const Status done = done_safely([&] { return act(command, in); });
        ranks_.answer(done, answer_.bytes());
      }
    }
    return true;
  }

 private:
  // Whatever is thrown, rank 0 hears of it.
  static Status done_safely(const std::function<Status()>& work) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return Error{ErrorKind::kLimit, "out of memory", {}};
    } catch (const NoThread& refused) {
      return Error{ErrorKind::kLimit, refused.what(), {}};
    } catch (const std::exception& failure) {
      return data_error(failure.what());
    }
  }

  Status act(Command command, ByteSource& in) {
    switch (command) {
      case Command::kDescribe: return describe(in.take<std::size_t>());
      case Command::kPlace: return place(in);
      case Command::kBind: return bind(in);
      case Command::kPrepare: return prepare(in.take<Cache>());
      case Command::kVerify: return verify();
      case Command::kCeilings: return measure_ceilings(in);
      case Command::kRenew: return session_.renew_results();
      default: return ok_status();
    }
  }

  Status describe(std::size_t threads) {
    RankContext context;
    context.host = read_host(session_.pools().all_threads());
    context.partitions = session_.owned_partitions();
    PreflightScope scope;
    scope.threads = threads;
    context.preflight = preflight(scope, kPreflightLook);
    const std::string text = rank_context_text(context);
    answer_.put_bytes(std::as_bytes(std::span(text)));
    return ok_status();
  }

  Status place(ByteSource& in) {
    bound_.clear();
    placement_.reset();
    ceilings_.reset();
    session_.release_read_ahead();
    session_.trim_results();
    std::vector<std::string> tables(in.take<std::size_t>());
    for (std::string& table : tables) table = in.take_text();
    PlacementChoice choice{in.take_text()};
    choice.layout = in.take<Layout>();
    choice.codes = in.take<Codes>();
    choice.compressed = in.take<Compressed>();
    HDB_ASSIGN(placement_, session_.place(tables, choice));
    answer_.put_text(placement_->medium().label());
    return ok_status();
  }

  Status bind(ByteSource& in) {
    const bool maps = in.take<bool>();
    const std::vector<int> ids = in.take_all<int>();
    std::vector<ListedQuery> wanted;
    for (const ListedQuery& one : queries_) {
      if (std::ranges::find(ids, one.id) != ids.end()) wanted.push_back(one);
    }
    HDB_ASSIGN(bound_, bind_all(wanted, *placement_));
    const auto unshown = [](std::size_t, std::size_t) {};
    return maps ? session_.map_needed(wanted, bound_, *placement_, unshown) : ok_status();
  }

  Status prepare(Cache cache) {
    CacheProof proof;
    if (session_.ranks() != nullptr) {
      HDB_ASSIGN(proof, placement_->medium().prepare(cache));
    } else if (cache == Cache::kCold) {
      placement_->medium().let_pages_go();
    }
    answer_.put(proof);
    return ok_status();
  }

  Status verify() {
    const auto columns = placement_->medium().verify_placement();
    if (!columns.ok()) return columns.error();
    const auto results = session_.verify_results(placement_->medium());
    if (!results.ok()) return results.error();
    const auto spill = session_.verify_spill(placement_->medium());
    return spill.ok() ? ok_status() : Status(spill.error());
  }

  Status measure_ceilings(ByteSource& in) {
    const auto buffer_bytes = in.take<std::size_t>();
    const auto threads = in.take_all<std::size_t>();
    if (!ceilings_) ceilings_ = std::make_unique<MemoryProbe>(buffer_bytes);
    std::vector<MemoryRound> rounds;
    for (const std::size_t count : threads) {
      const Result<MemoryRound> round = ceilings_->measure(session_.pools().of(count));
      if (!round.ok() && round.error().kind == ErrorKind::kMismatch) return round.error();
      if (!round.ok()) break;
      rounds.push_back(*round);
    }
    answer_.put_all(rounds);
    return ok_status();
  }

  void run(ByteSource& in) {
    const auto id = in.take<int>();
    const Setting setting = take_setting(in);
    RankRun said;
    bool is_ready = false;
    const auto tell_ready = [&] {
      is_ready = true;
      ranks_.report(ok_status());
      said.begin_ms = clock_ms();
      return ok_status();
    };
    // What fails later fails within execute(), which tells rank 0.
    const Status done = done_safely([&]() -> Status {
      HDB_ASSIGN(const TimedRun run, session_.run(bound_.at(id), setting, placement_->medium(),
                                                  KeepUnpacked::kUntilQueryEnds, tell_ready));
      said.real_ms = run.real_ms;
      said.cpu_ms = run.cpu_ms;
      said.times = run.stats.rank;
      said.bytes_unpacked = run.stats.bytes_unpacked;
      said.peak_bytes = run.peak_bytes;
      said.major_faults = run.major_faults;
      said.minor_faults = run.minor_faults;
      said.is_device_known = run.device_bytes.has_value();
      said.device_bytes = run.device_bytes.value_or(0);
      return ok_status();
    });
    if (!is_ready) {
      ranks_.report(done);
      ranks_.hear();  // that no part of the query comes
    }
    answer_.put(said);
    ranks_.send_sized(answer_.bytes());
  }

  void answer_users(ByteSource& in) {
    UsersCell cell;
    cell.setting = take_setting(in);
    cell.setting.ranks = std::to_string(ranks_.count());
    cell.processes = in.take<std::size_t>();
    const LoadPlan whole = take_load(in);
    cell.users = whole.users;
    cell.arrivals_per_s = whole.arrivals_per_s;
    const LoadPlan load = part_of(whole, ranks_.rank(), ranks_.count());
    bool has_heard = false;
    bool goes = false;
    const auto go = [&](const Status& ready) -> Status {
      has_heard = true;
      ranks_.report(ready);
      const std::vector<std::byte> told = ranks_.hear();
      goes = ByteSource(told).take<bool>();
      return goes ? ok_status() : usage_error("another rank has no pool");
    };
    std::vector<std::string> lines;
    ChecksumLedger ledger;  // rank 0 holds the checksums against the other cells'
    LoadRound round;
    const Status done = done_safely([&] {
      return run_users_part(
          session_, bound_, *placement_, load, ledger, {},
          [&](const std::string& line) { lines.push_back(line); }, go, cell, round);
    });
    if (!has_heard) static_cast<void>(go(done));
    if (!goes) return;
    answer_.put_text(cell.error.value_or(""));
    answer_.put(cell.lost);
    answer_.put(cell.died);
    answer_.put(cell.overrun);
    answer_.put(lines.size());
    for (const std::string& line : lines) answer_.put_text(line);
    put_round(answer_, round);
    ranks_.answer(done, answer_.bytes());
  }

  Session& session_;
  SharedPartitions& ranks_;
  const std::vector<ListedQuery>& queries_;
  std::unique_ptr<TablePlacement> placement_;
  BoundQueries bound_;
  std::unique_ptr<MemoryProbe> ceilings_;
  ByteSink answer_;
};

RankCommands::RankCommands(SharedPartitions& ranks)
    : ranks_(ranks), number_(ranks.job().openings - 1), media_(ranks.count()) {}

RankCommands::~RankCommands() { ranks_.tell(begin(Command::kEnd).bytes()); }

ByteSink RankCommands::begin(Command command) const {
  ByteSink sink;
  sink.put(number_);
  sink.put(command);
  return sink;
}

Status RankCommands::describe(std::size_t threads, std::vector<RankContext>& ranks) {
  ByteSink command = begin(Command::kDescribe);
  command.put(threads);
  HDB_ASSIGN(const Ranks::Answers answers, ask(command));
  for (std::size_t from = 1; from < ranks_.count(); ++from) {
    HDB_ASSIGN(ranks[from], parse_rank_context(as_text(answers[from]), ranks_.name(from)));
  }
  return ok_status();
}

NetworkFigures RankCommands::measure_network() {
  ranks_.tell(begin(Command::kNetwork).bytes());
  return bench::measure_network(ranks_.job());
}

Status RankCommands::place(const std::vector<std::string>& tables, const PlacementChoice& choice) {
  ByteSink command = begin(Command::kPlace);
  command.put(tables.size());
  for (const std::string& table : tables) command.put_text(table);
  command.put_text(choice.medium);
  command.put(choice.layout);
  command.put(choice.codes);
  command.put(choice.compressed);
  ids_.clear();
  HDB_ASSIGN(const Ranks::Answers answers, ask(command));
  for (std::size_t from = 1; from < ranks_.count(); ++from)
    media_[from] = ByteSource(answers[from]).take_text();
  return ok_status();
}

Status RankCommands::bind(const BoundQueries& bound, bool maps) {
  ByteSink command = begin(Command::kBind);
  command.put(maps);
  std::vector<int> ids;
  for (const auto& [id, query] : bound) {
    ids.push_back(id);
    ids_[query.plan.get()] = id;
  }
  command.put_all(ids);
  return asked(command);
}

Result<CacheProof> RankCommands::prepare(Cache cache) {
  ByteSink command = begin(Command::kPrepare);
  command.put(cache);
  HDB_ASSIGN(const Ranks::Answers answers, ask(command));
  CacheProof all;
  for (std::size_t from = 1; from < ranks_.count(); ++from) {
    const auto one = ByteSource(answers[from]).take<CacheProof>();
    all.bytes_total += one.bytes_total;
    all.bytes_resident += one.bytes_resident;
  }
  return all;
}

Status RankCommands::verify_placement() { return asked(begin(Command::kVerify)); }

void RankCommands::begin_ceilings(const std::vector<std::size_t>& threads,
                                  std::size_t buffer_bytes) {
  ByteSink command = begin(Command::kCeilings);
  command.put(buffer_bytes);
  command.put_all(threads);
  ranks_.tell(command.bytes());
}

Result<std::vector<std::vector<MemoryRound>>> RankCommands::take_ceilings() {
  HDB_ASSIGN(const Ranks::Answers answers, ranks_.take_answers());
  std::vector<std::vector<MemoryRound>> rounds(1);
  for (std::size_t from = 1; from < ranks_.count(); ++from)
    rounds.push_back(ByteSource(answers[from]).take_all<MemoryRound>());
  return rounds;
}

Status RankCommands::renew_results() { return asked(begin(Command::kRenew)); }

void RankCommands::have_wait() { ranks_.tell(begin(Command::kWait).bytes()); }

Status RankCommands::begin_run(const BoundQuery& query, const Setting& setting) {
  ByteSink command = begin(Command::kRun);
  command.put(ids_.at(query.plan.get()));
  put_setting(command, setting);
  ranks_.tell(command.bytes());
  const Status ready = ranks_.take_reports();
  if (ready.ok()) return ready;
  SharedRun::end(ranks_);
  take_runs();
  return ready;
}

std::vector<RankRun> RankCommands::take_runs() {
  std::vector<RankRun> runs(1);
  for (std::size_t from = 1; from < ranks_.count(); ++from) {
    const std::vector<std::byte> said = ranks_.receive_sized(from);
    runs.push_back(ByteSource(said).take<RankRun>());
  }
  return runs;
}

void RankCommands::begin_users(const UsersCell& cell, const LoadPlan& load) {
  ByteSink command = begin(Command::kUsers);
  put_setting(command, cell.setting);
  command.put(cell.processes);
  put_load(command, load);
  ranks_.tell(command.bytes());
}

Status RankCommands::let_users_go(const Status& own) {
  const Status others = ranks_.take_reports();
  ByteSink go;
  go.put(own.ok() && others.ok());
  ranks_.tell(go.bytes());
  return own.ok() ? others : own;
}

Result<std::vector<LoadRound>> RankCommands::take_users(UsersCell& cell) {
  HDB_ASSIGN(const Ranks::Answers answers, ranks_.take_answers());
  std::vector<LoadRound> rounds(1);
  for (std::size_t from = 1; from < ranks_.count(); ++from) {
    ByteSource in(answers[from]);
    const std::string error = in.take_text();
    if (!error.empty() && !cell.error) cell.error = ranks_.name(from) + ": " + error;
    cell.lost += in.take<std::uint64_t>();
    cell.died += in.take<std::size_t>();
    cell.overrun = in.take<bool>() || cell.overrun;
    for (auto left = in.take<std::size_t>(); left > 0; --left)
      tell(ranks_.name(from) + ": " + in.take_text());
    rounds.push_back(take_round(in));
  }
  return rounds;
}

Result<Ranks::Answers> RankCommands::ask(const ByteSink& command) {
  ranks_.tell(command.bytes());
  return ranks_.take_answers();
}

Status RankCommands::asked(const ByteSink& command) {
  const auto answers = ask(command);
  return answers.ok() ? ok_status() : Status(answers.error());
}

Status serve_rank_0(const std::vector<FollowedSession>& sessions) {
  if (sessions.empty()) return ok_status();
  std::vector<RankFollower> followers(sessions.begin(), sessions.end());
  SharedPartitions& ranks = *sessions.front().session.job_ranks();
  for (std::size_t open = sessions.size(); open > 0;) {
    const std::vector<std::byte> told = ranks.hear();
    ByteSource in(told);
    if (!followers.at(in.take<std::size_t>()).obey(in)) --open;
  }
  return ok_status();
}

}  // namespace hdbench::bench

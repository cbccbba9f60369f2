#include "bench/users/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/base/bootstrap.h"
#include "bench/base/process_group.h"
#include "bench/model/axes.h"

namespace hdbench::bench {
namespace {

constexpr double kNsASecond = 1e9;
constexpr double kNsAMillisecond = 1e6;
constexpr std::uint64_t kShowEveryNs = 200'000'000;
constexpr double kBeginningShare = 0.1;
// Of the whole time, at first; twice as long where there would be twice as many.
constexpr std::size_t kBlocks = 20;
constexpr std::size_t kBlockResamples = 400;
// A queue that grows to this has no end.
constexpr std::size_t kQueueMost = 100'000;

struct Asked {
  std::uint64_t number = 0;
  int query = 0;
  std::uint64_t intended_ns = 0;
  bool is_owed = false;  // of an open loop: it counts, and is waited for
  std::uint64_t put_ns = 0;
};

// How long queries occupied processes.
struct Occupied {
  std::uint64_t answers = 0;
  double ns = 0;
};

// Answers by the time at which they came in, in blocks of equal length.
class LatencyBlocks {
 public:
  void begin(std::uint64_t now_ns, double seconds) {
    begin_ns_ = now_ns;
    length_ns_ = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(seconds * kNsASecond / static_cast<double>(kBlocks)));
  }

  void add(std::uint64_t now_ns, std::uint64_t latency_ns) {
    while ((now_ns - begin_ns_) / length_ns_ >= 2 * kBlocks) halve();
    const auto at = static_cast<std::size_t>((now_ns - begin_ns_) / length_ns_);
    if (blocks_.size() <= at) blocks_.resize(at + 1);
    blocks_[at].add(latency_ns);
  }

  LatencyCounts all() const {
    LatencyCounts all;
    for (const LatencyCounts& block : blocks_) all.add(block);
    return all;
  }

  // Those that have ended by then.
  std::vector<LatencyCounts> whole(std::uint64_t end_ns) const {
    const auto ended = static_cast<std::size_t>((end_ns - begin_ns_) / length_ns_);
    std::vector<LatencyCounts> whole = blocks_;
    whole.resize(ended);
    return whole;
  }
  double block_seconds() const { return static_cast<double>(length_ns_) / kNsASecond; }

 private:
  void halve() {
    std::vector<LatencyCounts> joined((blocks_.size() + 1) / 2);
    for (std::size_t at = 0; at < blocks_.size(); ++at) joined[at / 2].add(blocks_[at]);
    blocks_ = std::move(joined);
    length_ns_ *= 2;
  }

  std::uint64_t begin_ns_ = 0;
  std::uint64_t length_ns_ = 1;
  std::vector<LatencyCounts> blocks_;
};

struct Part {
  double share;
  std::optional<LatencyFigure> UsersCell::* figure;
};
constexpr Part kParts[] = {{0.5, &UsersCell::p50},
                           {0.9, &UsersCell::p90},
                           {0.99, &UsersCell::p99},
                           {0.999, &UsersCell::p999}};

double ms_of(double ns) { return ns / kNsAMillisecond; }

// A round's answers drawn anew, a block at a time.
void draw_round(const LoadRound& round, std::mt19937_64& random, LatencyCounts& drawn,
                double& seconds) {
  for (std::size_t b = 0; b < round.blocks.size(); ++b)
    drawn.add(round.blocks[random() % round.blocks.size()]);
  seconds += static_cast<double>(round.blocks.size()) * round.block_seconds;
}

void add_intervals(const std::vector<LoadRound>& rounds, UsersCell& cell) {
  const bool has_blocks =
      std::ranges::all_of(rounds, [](const LoadRound& round) { return round.blocks.size() >= 2; });
  if (!has_blocks) return;
  std::mt19937_64 random(kResampleSeed);
  std::vector<std::vector<double>> drawn(std::size(kParts));
  std::vector<double> rates;
  for (std::size_t k = 0; k < kBlockResamples; ++k) {
    LatencyCounts sample;
    double seconds = 0;
    for (std::size_t r = 0; r < rounds.size(); ++r)
      draw_round(rounds[random() % rounds.size()], random, sample, seconds);
    rates.push_back(static_cast<double>(sample.total()) / seconds);
    for (std::size_t p = 0; p < std::size(kParts); ++p) {
      if (const auto ns = sample.percentile(kParts[p].share)) drawn[p].push_back(ms_of(*ns));
    }
  }
  const double by = widening(rounds.size());
  cell.per_s_interval = resampled_interval(std::move(rates), cell.per_s, by);
  for (std::size_t p = 0; p < std::size(kParts); ++p) {
    auto& figure = cell.*kParts[p].figure;
    if (figure && drawn[p].size() == kBlockResamples)
      figure->interval = resampled_interval(std::move(drawn[p]), figure->ms, by);
  }
}

class Load {
 public:
  Load(WorkerPool& pool, const LoadPlan& plan, const LoadWatch& watch, UsersCell& cell,
       LoadRound& round)
      : pool_(pool),
        plan_(plan),
        watch_(watch),
        cell_(cell),
        round_(round),
        deck_(plan.mix, plan.seed),
        random_(plan.seed) {}

  Status run() {
    start_ns_ = changed_ns_ = monotonic_ns();
    next_arrival_ns_ = start_ns_ + gap_ns();
    for (std::size_t user = 0; user < plan_.users; ++user) ask(start_ns_);
    while (!is_over_ && !cell_.error) HDB_TRY(step());
    if (!cell_.error) finish();
    return ok_status();
  }

 private:
  bool is_open() const { return plan_.users == 0; }
  // Without an end of the queue no more are put into it.
  bool has_arrivals() const { return is_open() && !is_endless_; }
  double seconds_to(std::uint64_t now) const {
    return static_cast<double>(now - start_ns_) / kNsASecond;
  }
  double measured_s(std::uint64_t now) const {
    return static_cast<double>(now - begin_ns_) / kNsASecond;
  }

  std::uint64_t gap_ns() {
    if (!is_open()) return 0;
    // From 0 to below 1, with the bits that a double has.
    const double uniform = static_cast<double>(random_() >> 11) * 0x1p-53;
    return static_cast<std::uint64_t>(-std::log1p(-uniform) / plan_.arrivals_per_s * kNsASecond);
  }

  void count_system(std::uint64_t now, int change) {
    if (begin_ns_ != 0 && end_ns_ == 0)
      round_.waiting_ns += static_cast<double>(in_system_) * static_cast<double>(now - changed_ns_);
    changed_ns_ = now;
    in_system_ += static_cast<std::size_t>(change);
  }

  // Of an open loop those count that are to be asked in the time, however late they are answered:
  // one that waits past its end would otherwise be left out.
  void ask(std::uint64_t intended_ns) {
    count_system(std::max(intended_ns, changed_ns_), 1);
    const bool is_owed = is_open() && is_measuring();
    if (is_owed) ++owed_;
    queue_.push_back({next_number_++, deck_.next(), intended_ns, is_owed});
  }

  bool is_measuring() const { return begin_ns_ != 0 && end_ns_ == 0; }

  Status step() {
    std::uint64_t now = monotonic_ns();
    while (has_arrivals() && next_arrival_ns_ <= now) {
      ask(next_arrival_ns_);
      next_arrival_ns_ += gap_ns();
      is_endless_ = queue_.size() > kQueueMost;
    }
    while (!queue_.empty() && pool_.has_free()) {
      Asked& first = queue_.front();
      first.put_ns = monotonic_ns();
      pool_.put({first.number, first.query});
      put_.emplace(first.number, first);
      queue_.pop_front();
    }
    look(now);
    if (is_over_) return ok_status();
    const std::uint64_t until =
        has_arrivals() ? std::min(next_arrival_ns_, now + kShowEveryNs) : now + kShowEveryNs;
    HDB_ASSIGN(const std::vector<WorkerPool::Event> events, pool_.wait_until(until));
    now = monotonic_ns();
    for (const WorkerPool::Event& event : events) {
      if (event.reply) HDB_TRY(take(*event.reply, now));
      if (!event.reply) mourn(event, now);
      if (cell_.error) break;
    }
    return ok_status();
  }

  // Whether measuring begins or ends now.
  void look(std::uint64_t now) {
    if (watch_.show && now - shown_ns_ > kShowEveryNs) {
      shown_ns_ = now;
      watch_.show(std::min(1.0, seconds_to(now) / ((1 + kBeginningShare) * plan_.seconds)));
    }
    // The time of a closed loop begins and ends with an answer: no part of one is in it.
    const bool is_new = answered_ != looked_answered_;
    looked_answered_ = answered_;
    if (!is_open() && !is_new) return;
    if (begin_ns_ == 0) return look_at_beginning(now);
    if (end_ns_ == 0) {
      const double measured = measured_s(now);
      const std::size_t enough = LoadPlan::kAnswersOfUser * std::max<std::size_t>(1, plan_.users);
      if (measured < plan_.seconds) return;
      if (round_.answers < enough && measured < LoadPlan::kLongest * plan_.seconds) return;
      count_system(now, 0);
      end_ns_ = now;
      if (is_open()) round_.offered_load = offered_load();
      is_overrun_ = is_endless_ || round_.offered_load >= 1;
      cell_.overrun = cell_.overrun || is_overrun_;
    }
    is_over_ = !is_open() || is_overrun_ || owed_ == 0;
  }

  void look_at_beginning(std::uint64_t now) {
    const bool is_due = seconds_to(now) >= kBeginningShare * plan_.seconds;
    if (is_due && answered_ >= plan_.users + pool_.alive()) {
      count_system(now, 0);
      begin_ns_ = now;
      blocks_.begin(now, plan_.seconds);
    } else if (seconds_to(now) > LoadPlan::kLongest * plan_.seconds) {
      cell_.error = fmt::format(
          "after {:.3g} s not every {} has had an answer: more seconds, or fewer {}",
          seconds_to(now), is_open() ? "process" : "user", is_open() ? "processes" : "users");
    }
  }

  // By the shares of the mix, as they were not dealt exactly. Queries without an answer are taken
  // to be like the others.
  double offered_load() const {
    double weights = 0;
    double ns = 0;
    for (const auto& [query, weight] : plan_.mix) {
      const auto known = occupied_.find(query);
      if (known == occupied_.end()) continue;
      const auto share = static_cast<double>(weight);
      weights += share;
      ns += share * known->second.ns / static_cast<double>(known->second.answers);
    }
    if (weights == 0) return 0;
    const auto processes = static_cast<double>(std::max<std::size_t>(1, pool_.alive()));
    return plan_.arrivals_per_s * ns / weights / kNsASecond / processes;
  }

  Status take(const Reply& answer, std::uint64_t now) {
    const auto found = put_.find(answer.number);
    if (found == put_.end()) return ok_status();
    const Asked asked = found->second;
    put_.erase(found);
    count_system(now, -1);
    ++answered_;
    if (asked.is_owed) --owed_;
    if (!answer.has_result) {
      cell_.error = fmt::format("{}: {}", query_label(asked.query), answer.error.data());
      return answer.is_limit ? watch_.limit(*cell_.error) : ok_status();
    }
    HDB_TRY(watch_.check(asked.query, answer.checksum));
    round_.checksums[asked.query] = answer.checksum;
    if (is_measuring()) {
      Occupied& occupied = occupied_[asked.query];
      ++occupied.answers;
      occupied.ns += static_cast<double>(now - asked.put_ns);
      ++round_.came_in;
      round_.cpu_ns += answer.cpu_ns;
      round_.bytes += answer.bytes_read;
      round_.device_bytes += answer.device_bytes;
      round_.is_device_known = round_.is_device_known && answer.is_device_known;
    }
    if (is_open() ? asked.is_owed : is_measuring()) count(asked, answer, now);
    if (!is_open()) ask(now);
    return ok_status();
  }

  void count(const Asked& asked, const Reply& answer, std::uint64_t now) {
    ++round_.answers;
    ++round_.by_query[asked.query];
    const std::uint64_t latency = now - asked.intended_ns;
    blocks_.add(is_open() ? asked.intended_ns : now, latency);
    const std::uint64_t queued = answer.begin_ns - std::min(answer.begin_ns, asked.intended_ns);
    round_.queued_ns += static_cast<double>(queued);
    round_.served_ns += static_cast<double>(answer.served_ns);
    round_.all_ns += static_cast<double>(latency);
  }

  void mourn(const WorkerPool::Event& event, std::uint64_t now) {
    ++cell_.died;
    if (watch_.forget) watch_.forget(event.worker);
    std::string line = fmt::format("{}: process {} of {} was ended by {}", cell_.name(),
                                   event.worker + 1, cell_.processes, event.how);
    if (event.lost) {
      ++cell_.lost;
      const Asked lost = put_.at(*event.lost);
      line += fmt::format(" and its query {} is lost", query_label(lost.query));
      put_.erase(*event.lost);
      if (lost.is_owed) --owed_;
      count_system(now, -1);
      if (!is_open()) ask(now);
    }
    if (pool_.alive() == 0) cell_.error = "every process of the pool has died: " + line;
    if (watch_.warn) watch_.warn(line);
  }

  void finish() {
    round_.seconds = measured_s(end_ns_);
    round_.latency = blocks_.all();
    round_.blocks = blocks_.whole(end_ns_);
    round_.block_seconds = blocks_.block_seconds();
    if (round_.answers == 0 && !is_overrun_)
      cell_.error = fmt::format("in {:.3g} s no query was answered: more seconds", round_.seconds);
  }

  WorkerPool& pool_;
  const LoadPlan& plan_;
  const LoadWatch& watch_;
  UsersCell& cell_;
  LoadRound& round_;
  QueryDeck deck_;
  std::mt19937_64 random_;
  std::deque<Asked> queue_;
  std::unordered_map<std::uint64_t, Asked> put_;  // to a process
  std::uint64_t next_number_ = 1;
  std::uint64_t start_ns_ = 0;
  std::uint64_t begin_ns_ = 0;  // of measuring; 0: not yet
  std::uint64_t end_ns_ = 0;
  std::uint64_t shown_ns_ = 0;
  std::uint64_t next_arrival_ns_ = 0;
  std::uint64_t changed_ns_ = 0;
  std::size_t in_system_ = 0;
  bool is_over_ = false;
  std::uint64_t owed_ = 0;  // queries that count and have no answer yet
  std::map<int, Occupied> occupied_;
  std::uint64_t looked_answered_ = 0;
  std::uint64_t answered_ = 0;  // all
  LatencyBlocks blocks_;
  bool is_endless_ = false;
  bool is_overrun_ = false;
};

}  // namespace

Status run_load(WorkerPool& pool, const LoadPlan& plan, const LoadWatch& watch, UsersCell& cell,
                LoadRound& round) {
  return Load(pool, plan, watch, cell, round).run();
}

void add_answers(const LoadRound& round, LoadRound& sum) {
  sum.came_in += round.came_in;
  sum.answers += round.answers;
  sum.latency.add(round.latency);
  sum.waiting_ns += round.waiting_ns;
  sum.queued_ns += round.queued_ns;
  sum.served_ns += round.served_ns;
  sum.all_ns += round.all_ns;
  sum.cpu_ns += round.cpu_ns;
  sum.bytes += round.bytes;
  sum.device_bytes += round.device_bytes;
  sum.is_device_known = sum.is_device_known && round.is_device_known;
  for (const auto& [query, answers] : round.by_query) sum.by_query[query] += answers;
  sum.checksums.insert(round.checksums.begin(), round.checksums.end());
}

void take_rounds(const std::vector<LoadRound>& rounds, UsersCell& cell) {
  LoadRound sum;
  for (const LoadRound& round : rounds) {
    add_answers(round, sum);
    sum.seconds += round.seconds;
    sum.offered_load += round.offered_load * round.seconds;
  }
  const auto a_second = [&](double ns) { return ns / kNsASecond / sum.seconds; };
  cell.rounds = rounds.size();
  cell.seconds = sum.seconds;
  cell.answers = sum.answers;
  cell.per_s = static_cast<double>(sum.came_in) / sum.seconds;
  cell.in_system = a_second(sum.waiting_ns);
  cell.cpus = a_second(static_cast<double>(sum.cpu_ns));
  cell.gb_per_s = a_second(static_cast<double>(sum.bytes));
  cell.device_gb_per_s.reset();
  if (sum.is_device_known) cell.device_gb_per_s = a_second(static_cast<double>(sum.device_bytes));
  cell.answers_by_query.assign(sum.by_query.begin(), sum.by_query.end());
  cell.checksums.assign(sum.checksums.begin(), sum.checksums.end());
  if (cell.users == 0) cell.offered_load = sum.offered_load / sum.seconds;
  if (sum.answers == 0) return;
  const auto answers = static_cast<double>(sum.answers);
  cell.queued_ms = ms_of(sum.queued_ns / answers);
  cell.served_ms = ms_of(sum.served_ns / answers);
  cell.checked_ms = ms_of(sum.all_ns / answers) - cell.queued_ms - cell.served_ms;
  cell.max_ms = ms_of(static_cast<double>(sum.latency.max()));
  for (const Part& part : kParts) {
    const auto ns = sum.latency.percentile(part.share);
    cell.*part.figure = std::nullopt;
    if (ns && !cell.overrun) cell.*part.figure = LatencyFigure{ms_of(*ns), {}};
  }
  if (!cell.overrun) add_intervals(rounds, cell);
}

}  // namespace hdbench::bench

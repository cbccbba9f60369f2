#include "bench/run/placement_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "bench/base/progress.h"

namespace hdbench::bench {
namespace {

struct Round {
  RoundKind kind = RoundKind::kTimed;
  std::size_t index = 0;  // of all turns; the untimed ones count
  std::size_t total = 1;  // that are expected at least
  std::vector<std::size_t> order;
};

bool is_late(const TimeBudget& budget) {
  return budget.deadline() && TimeBudget::Clock::now() >= *budget.deadline();
}

Status run_round(const RoundsSetting& setting, const RoundParts& parts, const Round& round) {
  Progress progress(setting.title);
  const std::size_t cells = round.order.size();
  const auto show = [&](std::size_t done, const std::string& what) {
    const double part = (static_cast<double>(round.index) +
                         static_cast<double>(done) / static_cast<double>(cells + 1)) /
                        static_cast<double>(round.total);
    const auto now = TimeBudget::Clock::now();
    progress.show_share(
        setting.budget.done(part, now),
        fmt::format("{} left  {}", duration_text(setting.budget.left_s(part, now)), what));
  };
  show(0, "ceilings");
  HDB_TRY(round.kind == RoundKind::kTimed ? parts.ceilings.measure(parts.pools, setting.threads)
                                          : parts.ceilings.warm_up(parts.pools, setting.threads));
  if (parts.look_at_device && round.kind == RoundKind::kTimed) parts.look_at_device();
  return parts.own.run_round(round.kind, round.order, parts.recorder, show);
}

// Those of the cells that want one, in the round's own order.
std::vector<std::size_t> order_of(const RoundsSetting& setting, const HdbenchCells& own,
                                  RoundKind kind, std::size_t index, const RepetitionRule& rule) {
  const std::vector<std::size_t> due = own.due(kind, rule);
  std::vector<bool> is_due(own.cells().size(), false);
  for (const std::size_t cell : due) is_due[cell] = true;
  std::vector<std::size_t> order;
  for (const std::size_t cell : order_of_round(own.cells(), setting.order_seed, index)) {
    if (is_due[cell]) order.push_back(cell);
  }
  return order;
}

// hdbench's own cells have as many repetitions beside each peer as without any.
RepetitionRule rule_of_turn(RepetitionRule rule, std::size_t turn) {
  rule.least *= turn + 1;
  rule.most *= turn + 1;
  return rule;
}

Status run_turn(const RoundsSetting& setting, const RoundParts& parts, std::size_t turn) {
  HDB_TRY(parts.peers.load(turn));
  const RepetitionRule rule = rule_of_turn(setting.repetitions, turn);
  const std::size_t least = setting.repetitions.least;
  for (std::size_t at = 0;; ++at) {
    Round round;
    round.kind = at == 0 ? RoundKind::kUntimed : RoundKind::kTimed;
    round.index = turn * (least + 1) + at;
    round.total = std::max(round.index + 1, (least + 1) * parts.peers.turn_count());
    round.order = order_of(setting, parts.own, round.kind, round.index, rule);
    const bool peers_want = !parts.peers.cells().empty() && at <= least;
    if (at > 0 && round.order.empty() && !peers_want) break;
    if (at > 1 && is_late(setting.budget)) break;
    HDB_TRY(run_round(setting, parts, round));
    if (round.kind == RoundKind::kTimed) parts.keep();
    if (at > least) continue;
    // Peers need the memory; with them, untimed runs come before each timed one.
    if (!parts.peers.cells().empty()) parts.own.trim_results();
    HDB_TRY(round.kind == RoundKind::kUntimed ? parts.peers.verify(parts.recorder.ledger, turn)
                                              : parts.peers.repeat(turn));
  }
  parts.peers.end(turn);
  return ok_status();
}

// Fisher and Yates's; std::shuffle's order is another with every library.
void shuffle(std::vector<std::size_t>& indexes, std::mt19937_64& random) {
  __extension__ using Wide = unsigned __int128;
  for (std::size_t left = indexes.size(); left > 1; --left) {
    const auto at = static_cast<std::size_t>((static_cast<Wide>(random()) * left) >> 64);
    std::swap(indexes[at], indexes[left - 1]);
  }
}

}  // namespace

Status run_rounds(const RoundsSetting& setting, const RoundParts& parts) {
  for (std::size_t turn = 0; turn < parts.peers.turn_count(); ++turn) {
    HDB_TRY(run_turn(setting, parts, turn));
  }
  if (!is_late(setting.budget)) {
    HDB_TRY(parts.ceilings.measure(parts.pools, setting.threads));
    if (parts.look_at_device) parts.look_at_device();
  }
  return parts.own.verify_placement();
}

std::vector<std::size_t> order_of_round(const std::vector<CellResult>& cells, std::uint64_t seed,
                                        std::size_t round) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed * 1'000'003 + round);
  shuffle(order, random);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t index) {
    return cells[index].setting.cache == Cache::kCold;
  });
  return order;
}

}  // namespace hdbench::bench

#include "bench/machine/memory_ceilings.h"

#include <algorithm>

#include "bench/base/statistics.h"

namespace hdbench::bench {
namespace {

enum class Better { kHigh, kLow };

CeilingFigure figure_of(const std::vector<MemoryRound>& rounds, double MemoryRound::* figure,
                        Better better) {
  std::vector<double> values;
  for (const MemoryRound& round : rounds) values.push_back(round.*figure);
  const bool is_rate = better == Better::kHigh;
  return {median(values), quantile(values, is_rate ? kCeilingQuantile : 1 - kCeilingQuantile),
          quantile(values, is_rate ? 1 : 0)};
}

}  // namespace

const ThreadCeilings* MemoryCeilings::of(std::size_t threads) const {
  for (const ThreadCeilings& one : by_threads) {
    if (one.threads == threads) return &one;
  }
  return nullptr;
}

ThreadCeilings summarise_rounds(std::size_t threads, const std::vector<MemoryRound>& rounds) {
  ThreadCeilings all;
  all.threads = threads;
  all.rounds = rounds.size();
  all.each = rounds;
  all.read_gb_s = figure_of(rounds, &MemoryRound::read_gb_s, Better::kHigh);
  all.write_gb_s = figure_of(rounds, &MemoryRound::write_gb_s, Better::kHigh);
  all.stream_gb_s = figure_of(rounds, &MemoryRound::stream_gb_s, Better::kHigh);
  all.copy_gb_s = figure_of(rounds, &MemoryRound::copy_gb_s, Better::kHigh);
  all.gather_gb_s = figure_of(rounds, &MemoryRound::gather_gb_s, Better::kHigh);
  all.gather_ns = figure_of(rounds, &MemoryRound::gather_ns, Better::kLow);
  all.chase_ns = figure_of(rounds, &MemoryRound::chase_ns, Better::kLow);
  std::vector<double> shares;
  for (const MemoryRound& round : rounds) {
    if (round.slowest_share > 0) shares.push_back(round.slowest_share);
  }
  if (!shares.empty()) all.slowest_share = median(shares);
  return all;
}

void add_rounds(MemoryCeilings& all, const MemoryCeilings& more) {
  if (all.by_threads.empty()) {
    all = more;
    return;
  }
  for (const ThreadCeilings& one : more.by_threads) {
    const auto at = std::find_if(all.by_threads.begin(), all.by_threads.end(),
                                 [&](const auto& known) { return known.threads >= one.threads; });
    if (at == all.by_threads.end() || at->threads != one.threads) {
      all.by_threads.insert(at, one);
      continue;
    }
    std::vector<MemoryRound> rounds = at->each;
    rounds.insert(rounds.end(), one.each.begin(), one.each.end());
    if (!rounds.empty()) *at = summarise_rounds(one.threads, rounds);
  }
  if (more.by_threads.empty()) return;
  if (!more.reason.empty()) all.reason = more.reason;
  if (more.huge_bytes) all.huge_bytes = more.huge_bytes;
}

Status CeilingRounds::look(OnePool& pools, const std::vector<std::size_t>& threads, bool is_kept) {
  for (const std::size_t count : threads) {
    const Result<MemoryRound> round = probe_.measure(pools.of(count));
    huge_bytes_ = probe_.huge_bytes();
    if (round.ok()) {
      if (is_kept) rounds_[count].push_back(*round);
      continue;
    }
    const ErrorKind kind = round.error().kind;
    if (kind != ErrorKind::kData && kind != ErrorKind::kLimit) return round.error();
    reason_ = round.error().message;
  }
  return ok_status();
}

MemoryCeilings CeilingRounds::ceilings() const {
  MemoryCeilings all;
  all.buffer_bytes = buffer_bytes_;
  all.cache_bytes = cache_bytes_;
  all.huge_bytes = huge_bytes_;
  all.reason = rounds_.empty() && reason_.empty() ? "no round was run" : reason_;
  for (const auto& [threads, rounds] : rounds_)
    all.by_threads.push_back(summarise_rounds(threads, rounds));
  return all;
}

}  // namespace hdbench::bench

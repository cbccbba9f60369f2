#include "bench/model/rank_context.h"

#include <algorithm>
#include <map>

#include "bench/machine/memory_probe.h"

namespace hdbench::bench {
namespace {

constexpr std::vector<double> RankCellTimes::* kTimes[] = {
    &RankCellTimes::begin, &RankCellTimes::map, &RankCellTimes::wait, &RankCellTimes::transfer};
constexpr double MemoryRound::* kLatencies[] = {&MemoryRound::gather_ns, &MemoryRound::chase_ns};

MemoryRound sum_of_round(const std::vector<const ThreadCeilings*>& ranks, std::size_t round) {
  MemoryRound sum;
  sum.slowest_share = 1;
  for (const ThreadCeilings* const rank : ranks) {
    const MemoryRound& one = rank->each[round];
    for (const auto& [name, figure] : kMemoryRoundFigures) sum.*figure += one.*figure;
    sum.slowest_share = std::min(sum.slowest_share, one.slowest_share);
  }
  for (double MemoryRound::* const figure : kLatencies)
    sum.*figure /= static_cast<double>(ranks.size());
  return sum;
}

}  // namespace

void add_times(RankCellTimes& times, const RankCellTimes& more) {
  for (const auto one : kTimes)
    (times.*one).insert((times.*one).end(), (more.*one).begin(), (more.*one).end());
}

void keep_times(RankCellTimes& times, std::size_t repetitions) {
  for (const auto one : kTimes) (times.*one).resize(std::min((times.*one).size(), repetitions));
}

MemoryCeilings sum_of_ranks(const std::vector<MemoryCeilings>& by_rank) {
  MemoryCeilings sum = by_rank.front();
  sum.by_threads.clear();
  for (const MemoryCeilings& one : by_rank) {
    if (!one.reason.empty()) sum.reason = one.reason;
  }
  for (const ThreadCeilings& first : by_rank.front().by_threads) {
    std::vector<const ThreadCeilings*> ranks;
    std::size_t rounds = first.each.size();
    for (const MemoryCeilings& one : by_rank) {
      const ThreadCeilings* const of = one.of(first.threads);
      if (of == nullptr) break;
      rounds = std::min(rounds, of->each.size());
      ranks.push_back(of);
    }
    if (ranks.size() != by_rank.size() || rounds == 0) continue;
    std::vector<MemoryRound> all;
    for (std::size_t round = 0; round < rounds; ++round) all.push_back(sum_of_round(ranks, round));
    sum.by_threads.push_back(summarise_rounds(first.threads, all));
  }
  return sum;
}

std::uint64_t last_level_bytes_of(const std::vector<RankContext>& ranks) {
  std::map<std::string, std::uint64_t> hosts;
  for (const RankContext& one : ranks)
    hosts[one.host.host_name] = std::max(hosts[one.host.host_name], last_level_bytes(one.host));
  std::uint64_t bytes = 0;
  for (const auto& [name, own] : hosts) bytes += own;
  return bytes;
}

}  // namespace hdbench::bench

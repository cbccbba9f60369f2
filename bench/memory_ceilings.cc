#include "bench/memory_ceilings.h"

#include <algorithm>

#include "bench/statistics.h"

namespace hdbench {
namespace {

enum class Better { kHigh, kLow };

CeilingFigure figure_of(const std::vector<MemoryRound>& rounds, double MemoryRound::* figure,
                        Better better) {
  std::vector<double> values;
  for (const MemoryRound& round : rounds) values.push_back(round.*figure);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {median(values), better == Better::kHigh ? *high : *low};
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
  all.read_gb_s = figure_of(rounds, &MemoryRound::read_gb_s, Better::kHigh);
  all.write_gb_s = figure_of(rounds, &MemoryRound::write_gb_s, Better::kHigh);
  all.stream_gb_s = figure_of(rounds, &MemoryRound::stream_gb_s, Better::kHigh);
  all.copy_gb_s = figure_of(rounds, &MemoryRound::copy_gb_s, Better::kHigh);
  all.gather_gb_s = figure_of(rounds, &MemoryRound::gather_gb_s, Better::kHigh);
  all.gather_ns = figure_of(rounds, &MemoryRound::gather_ns, Better::kLow);
  all.chase_ns = figure_of(rounds, &MemoryRound::chase_ns, Better::kLow);
  return all;
}

Status CeilingRounds::measure(OnePool& pools, const std::vector<std::size_t>& threads) {
  for (const std::size_t count : threads) {
    const Result<MemoryRound> round = probe_.measure(pools.of(count));
    if (round.ok()) {
      rounds_[count].push_back(*round);
    } else if (round.error().kind == ErrorKind::kData) {
      reason_ = round.error().message;
    } else {
      return round.error();
    }
  }
  return ok_status();
}

MemoryCeilings CeilingRounds::ceilings() const {
  MemoryCeilings all;
  all.buffer_bytes = buffer_bytes_;
  all.huge_bytes = probe_.huge_bytes();
  all.reason = rounds_.empty() && reason_.empty() ? "no round was run" : reason_;
  for (const auto& [threads, rounds] : rounds_)
    all.by_threads.push_back(summarise_rounds(threads, rounds));
  return all;
}

}  // namespace hdbench

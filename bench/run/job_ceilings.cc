#include "bench/run/job_ceilings.h"

namespace hdbench::bench {

Status JobCeilings::measure(OnePool& pools, const std::vector<std::size_t>& threads) {
  if (ranks_ == nullptr) return own_.measure(pools, threads);
  ranks_->begin_ceilings(threads, buffer_bytes_);
  const Status measured = own_.measure(pools, threads);
  HDB_ASSIGN(const auto rounds, ranks_->take_ceilings());
  HDB_TRY(measured);
  rounds_.resize(rounds.size() - 1);
  for (std::size_t rank = 1; rank < rounds.size(); ++rank) {
    for (std::size_t at = 0; at < rounds[rank].size(); ++at)
      rounds_[rank - 1][threads[at]].push_back(rounds[rank][at]);
  }
  return ok_status();
}

Status JobCeilings::warm_up(OnePool& pools, const std::vector<std::size_t>& threads) {
  if (ranks_ == nullptr) return own_.warm_up(pools, threads);
  ranks_->begin_ceilings(threads, buffer_bytes_);
  const Status measured = own_.warm_up(pools, threads);
  const auto rounds = ranks_->take_ceilings();
  HDB_TRY(measured);
  return rounds.ok() ? ok_status() : Status(rounds.error());
}

std::vector<MemoryCeilings> JobCeilings::by_rank() const {
  std::vector<MemoryCeilings> all{own_.ceilings()};
  for (const auto& rounds : rounds_) {
    MemoryCeilings one;
    one.buffer_bytes = buffer_bytes_;
    for (const auto& [threads, each] : rounds)
      one.by_threads.push_back(summarise_rounds(threads, each));
    all.push_back(std::move(one));
  }
  return all;
}

MemoryCeilings JobCeilings::ceilings() const {
  return rounds_.empty() ? own_.ceilings() : sum_of_ranks(by_rank());
}

}  // namespace hdbench::bench

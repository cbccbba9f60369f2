// The ceilings of a placement's rounds (memory_ceilings.h) where several ranks run its cells: all
// ranks measure at the same time, and the cells are held against what they gave together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/one_pool.h"
#include "bench/machine/memory_ceilings.h"
#include "bench/run/rank_commands.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class JobCeilings {
 public:
  // ranks: null: this process alone. cache_bytes: of all ranks' hosts.
  JobCeilings(std::size_t buffer_bytes, std::uint64_t cache_bytes, RankCommands* ranks)
      : buffer_bytes_(buffer_bytes), own_(buffer_bytes, cache_bytes), ranks_(ranks) {}

  // As CeilingRounds's. Errors: the other ranks', too.
  Status measure(OnePool& pools, const std::vector<std::size_t>& threads);
  Status warm_up(OnePool& pools, const std::vector<std::size_t>& threads);

  MemoryCeilings ceilings() const;              // of all ranks together
  std::vector<MemoryCeilings> by_rank() const;  // one, without ranks

 private:
  std::size_t buffer_bytes_;
  CeilingRounds own_;
  RankCommands* ranks_;
  std::vector<std::map<std::size_t, std::vector<MemoryRound>>> rounds_;  // the others', by rank - 1
};

}  // namespace hdbench::bench

// A counter with many writers: each thread adds on a cache line of few others, to avoid traffic
// between cores. Read when the writers are done.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hdbench::pmem {

class ShardedCount {
 public:
  // Many threads may add at once.
  void add(std::uint64_t count) {
    shards_[this_shard()].value.fetch_add(count, std::memory_order_relaxed);
  }

  // Exact when nobody adds meanwhile.
  std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const Shard& shard : shards_) total += shard.value.load(std::memory_order_relaxed);
    return total;
  }

  // Not while others add.
  void reset() {
    for (Shard& shard : shards_) shard.value.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kShards = 32;

  struct alignas(64) Shard {
    std::atomic<std::uint64_t> value{0};
  };

  // Threads take shards in turn; more threads than shards share them.
  static std::size_t this_shard() {
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed) % kShards;
    return mine;
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace hdbench::pmem

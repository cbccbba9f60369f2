// The best that this machine's memory can do, by thread count.
//
// Sampled before every timed round and after the last one. Rounds are collected by placement, over
// all visits. The ceiling is the best that the machine was seen to give: a high quantile of all
// rounds, as one outlier is no machine's rate. The median and the best round are recorded as well:
// their distance is the ceiling's spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/one_pool.h"
#include "bench/machine/memory_probe.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Of GB/s a high quantile is near the highest, of ns near the fewest.
constexpr double kCeilingQuantile = 0.9;

struct CeilingFigure {
  double median = 0;
  double high = 0;  // kCeilingQuantile: the ceiling
  double best = 0;  // of all rounds
};

// The figures of MemoryRound by the names that results.json gives them.
struct MemoryRoundFigure {
  const char* name;
  double MemoryRound::* figure;
};
inline constexpr MemoryRoundFigure kMemoryRoundFigures[] = {
    {"read_gb_per_s", &MemoryRound::read_gb_s},
    {"write_gb_per_s", &MemoryRound::write_gb_s},
    {"write_non_temporal_gb_per_s", &MemoryRound::stream_gb_s},
    {"copy_non_temporal_gb_per_s", &MemoryRound::copy_gb_s},
    {"gather_gb_per_s", &MemoryRound::gather_gb_s},
    {"gather_ns_per_line", &MemoryRound::gather_ns},
    {"chase_ns_per_line", &MemoryRound::chase_ns}};

// The figures of MemoryRound, of all rounds.
struct ThreadCeilings {
  std::size_t threads = 1;
  std::size_t rounds = 0;
  std::vector<MemoryRound> each;  // as they came
  CeilingFigure read_gb_s;
  CeilingFigure write_gb_s;
  CeilingFigure stream_gb_s;
  CeilingFigure copy_gb_s;
  CeilingFigure gather_gb_s;
  CeilingFigure gather_ns;
  CeilingFigure chase_ns;
  double slowest_share = 0;  // the rounds' median; 0: not known
};

struct MemoryCeilings {
  std::size_t buffer_bytes = 0;             // of each of the two
  std::uint64_t cache_bytes = 0;            // of all last-level caches; 0: the kernel does not tell
  std::optional<std::uint64_t> huge_bytes;  // of both
  std::vector<ThreadCeilings> by_threads;   // fewest threads first
  std::string reason;                       // why there is none, or not for all

  // Null where that many threads were not measured.
  const ThreadCeilings* of(std::size_t threads) const;
  // Caches may hold a part of the buffers that counts.
  bool may_be_cached() const { return buffer_bytes < kProbedCaches * cache_bytes; }
};

// Adds what was measured later, or elsewhere: all rounds of both, summarised anew.
void add_rounds(MemoryCeilings& all, const MemoryCeilings& more);

// Requires: rounds is not empty.
ThreadCeilings summarise_rounds(std::size_t threads, const std::vector<MemoryRound>& rounds);

class CeilingRounds {
 public:
  // cache_bytes: MemoryCeilings's.
  explicit CeilingRounds(std::size_t buffer_bytes, std::uint64_t cache_bytes = 0)
      : buffer_bytes_(buffer_bytes), cache_bytes_(cache_bytes), probe_(buffer_bytes) {}

  // One round on every one of these thread counts. Where the memory is not available the reason is
  // kept and no error given. Errors: kMismatch, where memory gave a wrong answer.
  Status measure(OnePool& pools, const std::vector<std::size_t>& threads) {
    return look(pools, threads, true);
  }
  // Before an untimed round: measures without recording, which maps the buffers and finds how many
  // passes a stream takes.
  Status warm_up(OnePool& pools, const std::vector<std::size_t>& threads) {
    return look(pools, threads, false);
  }

  // Gives the buffers back until the next round.
  void release() { probe_.release(); }

  MemoryCeilings ceilings() const;

 private:
  Status look(OnePool& pools, const std::vector<std::size_t>& threads, bool is_kept);

  std::size_t buffer_bytes_;
  std::uint64_t cache_bytes_;
  MemoryProbe probe_;
  std::optional<std::uint64_t> huge_bytes_;
  std::map<std::size_t, std::vector<MemoryRound>> rounds_;
  std::string reason_;
};

}  // namespace hdbench::bench

// The memory that a run with peers needed: expected and observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hdbench::bench {

// One worker, as it saw itself.
struct PeerWorkerMemory {
  std::string engine;
  std::size_t threads = 1;
  std::uint64_t expected_bytes = 0;  // worker_bytes()
  // Its own memory: with the table loaded, and at most, with a result and what that was compared
  // with still in hand.
  std::uint64_t loaded_bytes = 0;
  std::uint64_t held_max_bytes = 0;
  // Mapped column files: pages of the page cache, which all workers share.
  std::uint64_t mapped_max_bytes = 0;
};

struct PeerMemory {
  std::uint64_t table_bytes = 0;
  std::uint64_t needed_bytes = 0;         // PeerPlan's
  std::vector<PeerWorkerMemory> workers;  // those that were loaded
};

}  // namespace hdbench::bench

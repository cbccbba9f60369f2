// The memory that a run with peers needed: expected and observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/model/peer_plan.h"

namespace hdbench {

// One worker, as it saw itself.
struct PeerWorkerMemory {
  std::string engine;
  std::size_t threads = 1;
  // Its own memory: with the table loaded, and at most, with a result and what that was compared
  // with still in hand.
  std::uint64_t loaded_bytes = 0;
  std::uint64_t held_max_bytes = 0;
  // Mapped column files: pages of the page cache, which all workers share.
  std::uint64_t mapped_max_bytes = 0;
};

struct PeerMemory {
  PeerPlan plan;
  std::uint64_t table_bytes = 0;
  std::vector<PeerWorkerMemory> workers;  // those that were loaded
};

}  // namespace hdbench

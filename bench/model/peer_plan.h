// What the peers of a run need: memory, checked before anything is loaded, and time.
//
// Workers take turns, so that each engine is alone in memory beside hdbench's own cells. A worker
// needs the flat table's bytes times a factor per engine; results.json has what each one held,
// beside what was expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

// The engines that --peers knows.
std::vector<std::string_view> peer_engines();

struct PeerDemand {
  std::vector<std::string> engines;
  std::size_t thread_counts = 1;  // each has workers of its own
  std::uint64_t table_bytes = 0;  // flat, codes as stored
  std::uint64_t ceiling_bytes = 0;
  std::size_t repetitions = 5;
};

struct PeerPlan {
  std::uint64_t needed_bytes = 0;                // expected of hdbench and the largest worker
  std::optional<std::uint64_t> available_bytes;  // before anything was placed
  double seconds = 0;  // that loading, asking and checking all workers will take, roughly
};

// What one worker holds at most: its table, its largest result, and numpy's copy of what is
// compared. Requires: the engine is known.
std::uint64_t worker_bytes(std::string_view engine, std::uint64_t table_bytes);

// Errors: kUsage, where a worker does not fit beside hdbench.
Result<PeerPlan> plan_peers(const PeerDemand& demand, std::optional<std::uint64_t> available_bytes);

// "one after another: about 5.8 GB are needed, 23.4 GB are available; about 15 min beside hdbench's
// own cells".
std::string to_text(const PeerPlan& plan);

// The memory that a run with peers needed: expected and observed.
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

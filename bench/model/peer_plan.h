// Whether the peers' workers stand in memory together or one after another: decided beforehand from
// what is available and what the table takes, because nearly full memory slows down the cells.
//
// What a worker needs is the flat table's bytes times a factor per engine; results.json has what
// each one held, beside what was expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

// The engines that --peers knows.
std::vector<std::string_view> peer_engines();

// One after another: each worker has its rounds with hdbench's cells, alone, and ends before the
// next begins.
enum class PeerScheme : std::uint8_t { kTogether, kOneAfterAnother };
std::string_view word(PeerScheme scheme);

struct PeerDemand {
  std::vector<std::string> engines;
  std::size_t thread_counts = 1;  // each has workers of its own
  std::uint64_t table_bytes = 0;  // flat, codes as stored
  std::uint64_t ceiling_bytes = 0;
  std::size_t repetitions = 5;
};

struct PeerPlan {
  PeerScheme scheme = PeerScheme::kTogether;
  std::uint64_t together_bytes = 0;              // expected of everything, hdbench's own with it
  std::uint64_t alone_bytes = 0;                 // the same with the largest worker only
  std::optional<std::uint64_t> available_bytes;  // before anything was placed
  double seconds = 0;  // that loading, asking and checking all workers will take, roughly
};

// What one worker holds at most: its table, its largest result, and numpy's copy of what is
// compared. Requires: the engine is known.
std::uint64_t worker_bytes(std::string_view engine, std::uint64_t table_bytes);

// Together where a quarter of the memory stays free; also, where the kernel does not say what is
// available, one after another. Errors: kUsage, where not even one worker fits beside hdbench.
Result<PeerPlan> plan_peers(const PeerDemand& demand, std::optional<std::uint64_t> available_bytes);

// "in memory one after another: about 24.1 GB would be needed together, 23.4 GB are available;
// about 15 min beside hdbench's own cells".
std::string to_text(const PeerPlan& plan);

}  // namespace hdbench

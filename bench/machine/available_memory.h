// The minimum of available memory (free_room.h) over several samples.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/base/layers.h"
#include "pmem/base/free_room.h"

namespace hdbench::bench {

// The least that was seen in several looks. A look takes some ten microseconds: outside of what is
// timed.
class LowestMemory {
 public:
  void look() { take(available_memory()); }
  // Adds a sample taken elsewhere.
  void take(std::optional<std::uint64_t> available) {
    if (available && (!lowest_ || *available < *lowest_)) lowest_ = available;
  }
  std::optional<std::uint64_t> bytes() const { return lowest_; }

 private:
  std::optional<std::uint64_t> lowest_;
};

}  // namespace hdbench::bench

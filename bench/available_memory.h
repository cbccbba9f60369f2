// Memory that programs could still have: MemAvailable, the kernel's own estimate (free pages and
// those that it can take back, without swapping). A container's limit is not in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hdbench {

// Nothing where the kernel does not say.
std::optional<std::uint64_t> available_memory_bytes(const std::filesystem::path& procfs = "/proc");

// The least that was seen in several looks. A look takes some ten microseconds: outside of what is
// timed.
class LowestMemory {
 public:
  void look() { take(available_memory_bytes()); }
  // What somebody else saw.
  void take(std::optional<std::uint64_t> available) {
    if (available && (!lowest_ || *available < *lowest_)) lowest_ = available;
  }
  std::optional<std::uint64_t> bytes() const { return lowest_; }

 private:
  std::optional<std::uint64_t> lowest_;
};

}  // namespace hdbench

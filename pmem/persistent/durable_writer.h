// Durable writes, as the steps between which a crash can happen.
//
// Written bytes may reach the medium in any order, or not at all, until drain() returns. What must
// become durable after something else is written after a drain. Tests use an implementation that
// cuts the power at every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/result.h"

namespace hdbench::pmem {

// Optane's line: what is written in whole ones costs no read inside the module.
inline constexpr std::size_t kMediumLineBytes = 256;

class DurableWriter {
 public:
  virtual ~DurableWriter() = default;

  virtual Status write(std::byte* to, std::span<const std::byte> from) = 0;
  // One store, which is there whole or not at all wherever power fails. Requires: 8-byte aligned.
  virtual Status write_word(std::byte* to, std::uint64_t word) = 0;
  virtual Status drain() = 0;
};

// Through libpmem: non-temporal stores, CPU lines flushed at ragged ends and after a word (not
// where the CPU's caches survive a power cut, eADR), then a fence.
class LibpmemWriter final : public DurableWriter {
 public:
  Status write(std::byte* to, std::span<const std::byte> from) override;
  Status write_word(std::byte* to, std::uint64_t word) override;
  Status drain() override;
};

}  // namespace hdbench::pmem

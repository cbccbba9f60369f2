// Memory for results beyond `-w`: unnamed files in a directory, mapped shared (`--on-limit spill`).
//
// Slower than memory once the kernel writes pages back, but the query completes. Leaves nothing
// behind. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <memory_resource>

#include "engine/base/result.h"
#include "pmem/memory/region_heap.h"

namespace hdbench {

class SpillResource final : public std::pmr::memory_resource {
 public:
  // Errors: kData, when scratch files cannot be made in the directory.
  static Result<std::unique_ptr<SpillResource>> make(const std::filesystem::path& directory);

 private:
  explicit SpillResource(const std::filesystem::path& directory);

  // Throws OutOfMedium when the disk is full.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* address, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  RegionHeap heap_;
};

}  // namespace hdbench

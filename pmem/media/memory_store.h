// A copy store over plain memory.
#pragma once

#include <cstring>

#include "pmem/media/copy_store.h"

namespace hdbench {

class MemoryStore final : public CopyStore {
 public:
  MemoryStore(const RegionSource& source, std::size_t arenas) : CopyStore(source, arenas) {}

  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    if (!source.empty()) std::memcpy(destination, source.data(), source.size());
  }

 protected:
  Status fill(const OpenFile& file, std::span<std::byte> target,
              const std::filesystem::path& path) override {
    return read_fully(file.handle, 0, target, path);
  }
};

}  // namespace hdbench

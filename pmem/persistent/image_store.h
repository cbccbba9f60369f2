// A store over a kept image: maps its files in place, without copying.
//
// Files that are not in the image, and allocations, come from another store. Thread-safe.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/base/store.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/persistent/image_pool.h"

namespace hdbench::pmem {

class ImageStore final : public Store {
 public:
  // `database`: the root that paths will begin with.
  ImageStore(KeptImage kept, const std::filesystem::path& database, std::shared_ptr<Store> other);

  // Verifies the file's bytes against their hash at the first mapping. Errors: kData if they
  // differ, naming the pool; the other store's.
  Result<Mapping> map(const std::filesystem::path& path) override;
  Result<Region> allocate(std::size_t bytes) override { return other_->allocate(bytes); }
  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    other_->copy_in(destination, source);
  }

  // The bytes in use of the image; the other store has its own.
  Held held() const { return live_.live(); }

 private:
  KeptImage kept_;
  std::filesystem::path root_;
  std::shared_ptr<Store> other_;
  std::unordered_map<std::string, std::size_t> index_of_;
  std::unique_ptr<std::atomic<bool>[]> is_checked_;  // by file
  MappingRegistry live_;
};

}  // namespace hdbench::pmem

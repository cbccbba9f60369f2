// A database's image in a directory of persistent memory, kept between runs.
//
// A pool is one file, `hdbench-<hash of the database's path>-<generation>.pool`. A new image is
// written to a new file, and the older one is removed after the new one was sealed, so that the
// newest sealed generation is complete whenever the power fails. A pool without a seal is
// incomplete: it is removed, and the image is made again.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/persistent/app_direct_place.h"
#include "pmem/persistent/image_format.h"
#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {

// Every regular file below the root, symbolic links followed for files only, by rising path: size,
// time and a hash of the first page (kdb+'s header and the first values). A file rewritten within
// one tick of the filesystem's clock, of the same size and first page, looks the same. Segments of
// a par.txt lie elsewhere and are not listed. Errors: kData, naming what cannot be read.
Result<std::vector<ImageFile>> list_database_files(const std::filesystem::path& root);

struct KeptImage {
  Image image;
  Region region;
  std::filesystem::path pool;
  std::string note;  // "reused /mnt/pmem0/hdbench-....pool (...)", "loaded ...", "redone ...: why"
};

// The image of the database as it is now: the one that is there, or a new one. Errors: kData:
// another program is at it, there is too little space (with both figures), a file cannot be read,
// or changed while it was.
Result<KeptImage> keep_image(const AppDirectPlace& place, const std::filesystem::path& database);

// Maps a database's files from its image in a pool, and anything else by another store.
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

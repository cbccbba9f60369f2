// nvme's store: files mapped shared and read-only through the page cache, as kdb+ maps them.
//
// It remembers its live mappings, so that the medium can evict or populate them, and where they
// lie, for the label.
#pragma once

#include <sys/types.h>

#include <map>
#include <mutex>
#include <vector>

#include "engine/base/store.h"
#include "pmem/cache_state.h"
#include "pmem/live_set.h"

namespace hdbench {

class NvmeStore final : public Store {
 public:
  // `scratch_dir`: where regions' unnamed files lie.
  explicit NvmeStore(std::filesystem::path scratch_dir) : scratch_dir_(std::move(scratch_dir)) {}

  Result<Mapping> map(const std::filesystem::path& path) override;
  Result<Region> allocate(std::size_t bytes) override;
  void copy_in(std::byte* destination, std::span<const std::byte> source) override;
  bool will_need(std::span<const std::byte> bytes) override;

  Held held() const { return live_.live(); }

  // One file of each device that anything was mapped from.
  std::vector<std::filesystem::path> places() const;

 private:
  void remember_place(int descriptor, const std::filesystem::path& path);

  std::filesystem::path scratch_dir_;
  LiveSet live_;
  mutable std::mutex places_mutex_;
  std::map<dev_t, std::filesystem::path> places_;
};

}  // namespace hdbench

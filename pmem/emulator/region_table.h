// The device of each address: sorted ranges, which can be added while queries look up addresses
// without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "pmem/emulator/page_placement.h"
#include "pmem/emulator/page_windows.h"

namespace hdbench::pmem {

struct EmulatedRegion {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uint32_t device = 0;
  // The blocks of 4096 bytes, from the one that holds `begin` on; empty without a near cache.
  std::vector<PlacedBlock> blocks;
  // Bit i: the near cache follows block i (near_cache.h).
  std::vector<std::uint64_t> followed = {};
  // Disks only: the page cache of this file.
  std::shared_ptr<PageWindows> windows = {};
};

class RegionTable {
 public:
  RegionTable();
  ~RegionTable();
  RegionTable(const RegionTable&) = delete;
  RegionTable& operator=(const RegionTable&) = delete;

  // Requires: not empty and apart from all that are there.
  void add(EmulatedRegion region);
  // The region that begins there; nothing if there is none.
  void remove(std::uintptr_t begin);

  // The region that holds this address; null if none. Valid until collect().
  const EmulatedRegion* find(std::uintptr_t address) const;

  // As above, for one thread that mostly asks for the region that it got last; valid from the first
  // call until collect().
  struct LastFound {
    const void* version = nullptr;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const EmulatedRegion* region = nullptr;
  };
  const EmulatedRegion* find(std::uintptr_t address, LastFound& last) const;

  // PageWindows::set_all() of one device's regions. Not while others look up.
  void set_windows(std::uint32_t device, bool was_read);

  // Frees what was removed. Not while others look up.
  void collect();

 private:
  using Sorted = std::vector<std::shared_ptr<const EmulatedRegion>>;
  void publish(std::unique_ptr<const Sorted> next);

  std::mutex mutex_;
  std::atomic<const Sorted*> current_{nullptr};
  std::vector<std::unique_ptr<const Sorted>> versions_;  // the last one is current
};

}  // namespace hdbench::pmem

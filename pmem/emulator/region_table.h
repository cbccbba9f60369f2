// The device of each address: sorted ranges, which can be added while queries look up addresses
// without a lock.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "pmem/emulator/page_placement.h"

namespace hdbench::pmem {

// The page cache before an emulated disk: which windows of a file have been read.
//
// The kernel answers a fault in a mapping by reading the device's whole read-ahead window around
// it, as far as the file goes (mm/filemap.c, do_sync_mmap_readahead): half of a window before the
// page, half from it on. Here windows lie end to end, and each is read once, whole, until all are
// dropped. The last one has half a window, as a read of the file's last rows has, which are read
// alone most often; the first one has what is left.
class PageWindows {
 public:
  // Requires: both above 0.
  PageWindows(std::uint64_t file_bytes, std::uint64_t window_bytes)
      : file_bytes_(file_bytes),
        window_bytes_(window_bytes),
        last_begin_(rounded_up(file_bytes, kPageBytes) -
                    std::min(rounded_up(file_bytes, kPageBytes),
                             rounded_up((window_bytes + 1) / 2, kPageBytes))),
        before_last_((last_begin_ + window_bytes - 1) / window_bytes),
        read_((count() + kWordBits - 1) / kWordBits) {}

  std::uint64_t count() const { return before_last_ + 1; }
  std::uint64_t begin_of(std::uint64_t window) const {
    return window == 0 ? 0 : last_begin_ - (before_last_ - window) * window_bytes_;
  }
  std::uint64_t bytes_of(std::uint64_t window) const {
    return (window == before_last_ ? file_bytes_ : begin_of(window + 1)) - begin_of(window);
  }
  // The window that holds this byte of the file.
  std::uint64_t window_of(std::uint64_t byte) const {
    if (byte >= last_begin_) return before_last_;
    return before_last_ - 1 - (last_begin_ - 1 - byte) / window_bytes_;
  }

  bool was_read(std::uint64_t window) const {
    return (read_[window / kWordBits].load(std::memory_order_relaxed) & bit(window)) != 0;
  }
  // Whether the caller is the one that reads it. Thread-safe.
  bool read(std::uint64_t window) {
    const std::uint64_t before =
        read_[window / kWordBits].fetch_or(bit(window), std::memory_order_relaxed);
    return (before & bit(window)) == 0;
  }
  // As if all had been read, or nothing. Not while others read.
  void set_all(bool was_read) {
    for (auto& word : read_)
      word.store(was_read ? ~std::uint64_t{0} : 0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kWordBits = 64;
  static constexpr std::uint64_t kPageBytes = 4096;
  static std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
  }
  static std::uint64_t bit(std::uint64_t window) { return std::uint64_t{1} << window % kWordBits; }

  std::uint64_t file_bytes_;
  std::uint64_t window_bytes_;
  std::uint64_t last_begin_;
  std::uint64_t before_last_;  // how many windows
  std::vector<std::atomic<std::uint64_t>> read_;
};

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

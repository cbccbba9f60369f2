// The page cache before an emulated disk: which windows of a file have been read.
//
// The kernel answers a fault in a mapping by reading the device's whole read-ahead window around
// it, as far as the file goes (mm/filemap.c, do_sync_mmap_readahead). Here windows lie end to end
// from the file's first byte on: each is read once, whole, until all are dropped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hdbench::pmem {

class PageWindows {
 public:
  // Requires: both above 0.
  PageWindows(std::uint64_t file_bytes, std::uint64_t window_bytes)
      : file_bytes_(file_bytes),
        window_bytes_(window_bytes),
        read_((count() + kWordBits - 1) / kWordBits) {}

  std::uint64_t count() const { return (file_bytes_ + window_bytes_ - 1) / window_bytes_; }
  std::uint64_t window_bytes() const { return window_bytes_; }
  std::uint64_t bytes_of(std::uint64_t window) const {
    return std::min(window_bytes_, file_bytes_ - window * window_bytes_);
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
  static std::uint64_t bit(std::uint64_t window) { return std::uint64_t{1} << window % kWordBits; }

  std::uint64_t file_bytes_;
  std::uint64_t window_bytes_;
  std::vector<std::atomic<std::uint64_t>> read_;
};

}  // namespace hdbench::pmem

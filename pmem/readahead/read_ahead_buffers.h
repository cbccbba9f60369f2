// Buffers that a device reads into and that are then mapped at a file's addresses, in place of the
// file's pages.
//
// Avoids the page cache's cost of allocating, clearing and indexing every page: the pages are
// allocated once, as huge pages (small scattered ones would split a request to the device), and
// reused. What is mapped is always the file's own content, so a reader may access it at any time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/readahead/shadow_mapping.h"

namespace hdbench::pmem {

class ReadAheadBuffers {
 public:
  // Buffers of that many slots, or more to fill whole huge pages. Errors: kData if the memory is
  // not available, or not as huge pages (Linux 6.1, or shmem_enabled): with small ones the page
  // cache is faster. Requires: slots of whole pages.
  static Result<std::unique_ptr<ReadAheadBuffers>> make(std::size_t slots, std::size_t slot_bytes);
  // Requires: no reader is left.
  ~ReadAheadBuffers();
  ReadAheadBuffers(const ReadAheadBuffers&) = delete;
  ReadAheadBuffers& operator=(const ReadAheadBuffers&) = delete;

  std::size_t slots() const { return shown_.size(); }
  std::size_t slot_bytes() const { return slot_bytes_; }
  std::span<std::byte> slot(std::size_t slot) const;

  // These three: thread-safe for different slots.

  // Maps bytes of the slot, from `offset` on, at `pages`, read-only, until hide(). Requires: whole
  // pages of the shadow's mapping with the same bytes, not written until then; the slot has room
  // for them and is not mapped yet; no other slot maps any of them. Returns false if the kernel
  // refused; the file is then mapped.
  bool show(std::size_t slot, std::size_t offset, std::span<const std::byte> pages,
            std::shared_ptr<const ShadowMapping> shadow);
  // Restores the file's mapping, if the slot is mapped. Returns false if the kernel refused: the
  // slot stays mapped and must not be written.
  bool hide(std::size_t slot);

 private:
  ReadAheadBuffers(FileHandle memory, std::span<std::byte> bytes, std::size_t slot_bytes);

  struct Shown {
    std::span<const std::byte> pages;
    std::shared_ptr<const ShadowMapping> shadow;
  };

  FileHandle memory_;
  std::span<std::byte> bytes_;
  std::size_t slot_bytes_;
  std::vector<Shown> shown_;  // by slot
};

}  // namespace hdbench::pmem

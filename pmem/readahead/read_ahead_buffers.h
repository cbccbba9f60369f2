// Buffers that a device reads into and that are then mapped at a file's addresses, in place of the
// file's pages.
//
// Avoids the page cache's cost of allocating, clearing and indexing every page: the pages are
// allocated once, as huge pages (small scattered ones would split a request to the device), and
// reused. What is mapped is always the file's own content, so a reader may access it at any time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/memory/mapping_registry.h"

namespace hdbench::pmem {

// A second mapping of the same part of a file, from which pages of the first are restored after
// something else was shown in their place.
class ShadowMapping {
 public:
  // Null: the kernel refused. Requires: one shared mapping of a file, from its first page on, of
  // which nothing else is shown; keep_alive holds it.
  static std::shared_ptr<const ShadowMapping> make(std::span<const std::byte> mapping,
                                                   std::shared_ptr<const void> keep_alive);
  ~ShadowMapping();
  ShadowMapping(const ShadowMapping&) = delete;
  ShadowMapping& operator=(const ShadowMapping&) = delete;

  // Puts the mapping's pages back in their place. False: the kernel refused, and nothing has
  // changed. Requires: whole pages of the mapping. Thread-safe.
  bool put_back(std::span<const std::byte> pages) const;

 private:
  ShadowMapping(std::span<const std::byte> mapping, std::byte* shadow,
                std::shared_ptr<const void> keep_alive)
      : mapping_(mapping), shadow_(shadow), keep_alive_(std::move(keep_alive)) {}

  std::span<const std::byte> mapping_;
  std::byte* shadow_;
  std::shared_ptr<const void> keep_alive_;
};

// At most one ShadowMapping of each mapping, shared by all who replace its pages, so that what is
// restored is always the file. Thread-safe.
class ShadowMappings {
 public:
  // Null: the kernel refused.
  std::shared_ptr<const ShadowMapping> of(const std::shared_ptr<const TrackedMapping>& held);

 private:
  std::mutex mutex_;
  std::map<const std::byte*, std::weak_ptr<const ShadowMapping>> shadows_;  // by where it begins
};

// The memory that a pass reads into: slots of huge pages.
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
  // pages of the shadow's mapping with the same bytes, not written until then; the slot has space
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

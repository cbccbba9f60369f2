// Buffers that a device reads into and that are then mapped at a file's addresses, in place of the
// file's pages.
//
// Avoids the page cache's cost of allocating, clearing and indexing every page: the pages are
// allocated once, as huge pages (small scattered ones would split a request to the device), and
// reused. What is mapped is always the file's own content, so a reader may access it at any time.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/readahead/spare_mapping.h"

namespace hdbench {

class DirectRing {
 public:
  // Of so many slots or, to fill whole huge pages, some more. Errors: kData where the memory is not
  // to be had, or not in huge pages (Linux 6.1, or shmem_enabled): in small ones the page cache is
  // faster. Requires: slots of whole pages.
  static Result<std::unique_ptr<DirectRing>> make(std::size_t slots, std::size_t slot_bytes);
  // Requires: no reader is left.
  ~DirectRing();
  DirectRing(const DirectRing&) = delete;
  DirectRing& operator=(const DirectRing&) = delete;

  std::size_t slots() const { return shown_.size(); }
  std::size_t slot_bytes() const { return slot_bytes_; }
  std::span<std::byte> slot(std::size_t slot) const;

  // These three: thread-safe for different slots.

  // Shows bytes of the slot, from `offset` on, at `pages`, read-only, until hide(). A page that is
  // the last of one slot's and the first of another's is shown as long as either slot is. Requires:
  // whole pages of the spare's mapping, with the same bytes, not written until then; the slot has
  // room for them and shows nothing yet; no slot shows more than such a page of them. False: the
  // kernel refused, and the file is there, even in a page that another slot showed.
  bool show(std::size_t slot, std::size_t offset, std::span<const std::byte> pages,
            std::shared_ptr<const SpareMapping> spare);
  // Puts the file's mapping back, if the slot shows anything. False: the kernel refused; the slot
  // goes on showing, and may not be written.
  bool hide(std::size_t slot);

 private:
  DirectRing(FileHandle memory, std::span<std::byte> bytes, std::size_t slot_bytes);

  struct Shown {
    std::span<const std::byte> pages;
    std::shared_ptr<const SpareMapping> spare;
    std::size_t offset = 0;        // of the first page in memory_
    bool has_a_page_more = false;  // which another slot shows, as its first

    const std::byte* end() const { return pages.data() + pages.size(); }
  };

  // Maps the memory from that offset on at `pages`.
  bool map(std::size_t offset, std::span<const std::byte> pages) const;
  // With the lock held. Has the first page shown by the slot that has it as its last, if one has.
  void pass_on_first_page(Shown& shown);

  FileHandle memory_;
  std::span<std::byte> bytes_;
  std::size_t slot_bytes_;
  std::mutex mutex_;
  std::vector<Shown> shown_;  // by slot
};

}  // namespace hdbench

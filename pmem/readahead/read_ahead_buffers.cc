#include "pmem/readahead/read_ahead_buffers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/base/region_source.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // Linux 6.1; older C libraries do not name it
#endif

namespace hdbench::pmem {

std::shared_ptr<const ShadowMapping> ShadowMapping::make(std::span<const std::byte> mapping,
                                                         std::shared_ptr<const void> keep_alive) {
  if (mapping.empty()) return nullptr;
  // An old length of 0 maps the same part of the file once more.
  void* const shadow =
      ::mremap(const_cast<std::byte*>(mapping.data()), 0, mapping.size(), MREMAP_MAYMOVE);
  if (shadow == MAP_FAILED) return nullptr;
  return std::shared_ptr<const ShadowMapping>(
      new ShadowMapping(mapping, static_cast<std::byte*>(shadow), std::move(keep_alive)));
}

ShadowMapping::~ShadowMapping() { ::munmap(shadow_, mapping_.size()); }

bool ShadowMapping::put_back(std::span<const std::byte> pages) const {
  // Mapped once more, not moved: what is moved leaves a hole that others may map into.
  return ::mremap(shadow_ + (pages.data() - mapping_.data()), 0, pages.size(),
                  MREMAP_MAYMOVE | MREMAP_FIXED,
                  const_cast<std::byte*>(pages.data())) != MAP_FAILED;
}

std::shared_ptr<const ShadowMapping> ShadowMappings::of(
    const std::shared_ptr<const TrackedMapping>& held) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const ShadowMapping>& known = shadows_[held->bytes.data()];
  std::shared_ptr<const ShadowMapping> shadow = known.lock();
  if (!shadow) {
    shadow = ShadowMapping::make(held->bytes, held);
    known = shadow;
  }
  return shadow;
}

namespace {

Error no_ring(std::string_view what, int error_number) {
  return data_error(fmt::format("{}: {}", what, std::generic_category().message(error_number)));
}

// Addresses aligned to a huge page, with nothing behind them. Empty: there are none.
std::span<std::byte> reserve_addresses(std::size_t bytes) {
  void* const mapped = map_aligned(bytes, kHugePageBytes, PROT_NONE);
  if (mapped == MAP_FAILED) return {};
  return {static_cast<std::byte*>(mapped), bytes};
}

void unmap(std::span<std::byte> bytes) {
  if (!bytes.empty()) ::munmap(bytes.data(), bytes.size());
}

// Of a slot that the kernel refuses to hide, which goes on showing (its memory stays as long as it
// is mapped): a shadow that is made anew could be of what is shown.
void keep_to_the_end(std::shared_ptr<const ShadowMapping> shadow) {
  static std::mutex mutex;
  static std::vector<std::shared_ptr<const ShadowMapping>> kept;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(shadow));
}

// Maps the file's memory there, in huge pages. 0 or an error number.
int fill(std::span<std::byte> bytes, const FileHandle& memory) {
  if (::ftruncate(memory.descriptor(), static_cast<off_t>(bytes.size())) != 0) return errno;
  void* mapped = ::mmap(bytes.data(), bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                        memory.descriptor(), 0);
  if (mapped == MAP_FAILED) return errno;
  ::madvise(mapped, bytes.size(), MADV_HUGEPAGE);
  // Reserved first: a full tmpfs or control group is an error here, not a signal.
  if (const int failed =
          ::posix_fallocate(memory.descriptor(), 0, static_cast<off_t>(bytes.size()));
      failed != 0)
    return failed;
  int failed = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    failed = ::madvise(mapped, bytes.size(), MADV_COLLAPSE) == 0 ? 0 : errno;
    if (failed != EAGAIN && failed != EBUSY) break;
  }
  return failed;
}

}  // namespace

Result<std::unique_ptr<ReadAheadBuffers>> ReadAheadBuffers::make(std::size_t slots,
                                                                 std::size_t slot_bytes) {
  const std::size_t size = round_up(slots * slot_bytes, kHugePageBytes);
  HDB_TRY(require_memory("reading ahead", size));
  FileHandle memory(::memfd_create("hdbench-buffers", MFD_CLOEXEC));
  if (!memory.is_open()) return no_ring("cannot make memory for reading ahead", errno);
  const std::span<std::byte> bytes = reserve_addresses(size);
  int failed = bytes.empty() ? ENOMEM : 0;
  if (failed == 0) failed = fill(bytes, memory);
  if (failed != 0) {
    unmap(bytes);
    return no_ring("no huge pages for reading ahead", failed);
  }
  return std::unique_ptr<ReadAheadBuffers>(
      new ReadAheadBuffers(std::move(memory), bytes, slot_bytes));
}

ReadAheadBuffers::ReadAheadBuffers(FileHandle memory, std::span<std::byte> bytes,
                                   std::size_t slot_bytes)
    : memory_(std::move(memory)),
      bytes_(bytes),
      slot_bytes_(slot_bytes),
      shown_(bytes.size() / slot_bytes) {}

ReadAheadBuffers::~ReadAheadBuffers() {
  for (std::size_t slot = 0; slot < slots(); ++slot) {
    if (!hide(slot)) keep_to_the_end(std::move(shown_[slot].shadow));
  }
  unmap(bytes_);
}

std::span<std::byte> ReadAheadBuffers::slot(std::size_t slot) const {
  return bytes_.subspan(slot * slot_bytes_, slot_bytes_);
}

bool ReadAheadBuffers::show(std::size_t slot, std::size_t offset, std::span<const std::byte> pages,
                            std::shared_ptr<const ShadowMapping> shadow) {
  // The system call itself: a thread sanitizer takes mmap() for a write, but who reads these pages
  // meanwhile sees the same bytes before and after.
  if (::syscall(SYS_mmap, pages.data(), pages.size(), PROT_READ,
                MAP_SHARED | MAP_FIXED | MAP_POPULATE, memory_.descriptor(),
                static_cast<off_t>(slot * slot_bytes_ + offset)) == -1) {
    // Restores what the kernel may have unmapped by then.
    shadow->put_back(pages);
    return false;
  }
  shown_[slot] = {pages, std::move(shadow)};
  return true;
}

bool ReadAheadBuffers::hide(std::size_t slot) {
  Shown& shown = shown_[slot];
  if (!shown.pages.empty() && !shown.shadow->put_back(shown.pages)) return false;
  shown = {};
  return true;
}

}  // namespace hdbench::pmem

#include "pmem/media/nvme_store.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"
#include "engine/base/write_guard.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/base/region_source.h"
#include "pmem/memory/scratch_file.h"
#include "pmem/readahead/read_ahead.h"

namespace hdbench::pmem {
namespace {

// 32 MiB: a hundredth of a second of a fast device. More columns and threads need more. 512 KiB are
// a morsel of eight-byte values: with larger chunks more of the pass lies in memory at a time,
// which a virtual disk pays for; smaller ones take more system calls.
constexpr std::size_t kChunkBytes = std::size_t{512} << 10;
constexpr std::size_t kBuffersBytes = std::size_t{32} << 20;
constexpr std::size_t kSlotsMax = 2048;

// Requires: an address of a page.
bool page_is_resident(std::byte* page) {
  unsigned char state = 0;
  return ::mincore(page, 1, &state) == 0 && (state & 1U) != 0;
}

}  // namespace

Result<Mapping> NvmeStore::map(const std::filesystem::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  if (file.bytes == 0) return Mapping{};
  HDB_ASSIGN(const std::span<std::byte> mapped, map_read_only(file, path));
  auto owner = std::make_shared<MappedMemory>(mapped.data(), mapped.size());
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed);
  remember_place(file.handle.descriptor(), absolute);
  const auto bytes = owner->bytes();
  struct stat status = {};
  ::fstat(file.handle.descriptor(), &status);
  return Mapping{bytes,
                 live_.add({bytes, std::move(owner), absolute, -1, status.st_dev, status.st_ino})};
}

// Once: it looks at every directory above.
Status NvmeStore::check_scratch() {
  const std::lock_guard lock(places_mutex_);
  if (!scratch_checked_) {
    scratch_checked_ = check_outside_databases("scratch directory", scratch_dir_);
  }
  return *scratch_checked_;
}

Result<Region> NvmeStore::allocate(std::size_t bytes) {
  if (bytes == 0) return Region{};
  HDB_TRY(check_scratch());
  HDB_ASSIGN(const ScratchRegion scratch, make_scratch_region(scratch_dir_, bytes));
  remember_place(scratch.descriptor, scratch_dir_);
  return live_.track(scratch.region, scratch.descriptor);
}

void NvmeStore::copy_in(std::byte* destination, std::span<const std::byte> source) {
  if (!source.empty()) std::memcpy(destination, source.data(), source.size());
}

bool NvmeStore::is_in_memory(std::span<const std::byte> bytes) {
  // The kernel reads and drops neighbouring pages together, so the first and the last one tell.
  // Asking for every page would slow warm queries.
  if (bytes.empty()) return true;
  const std::span<std::byte> pages = whole_pages(bytes);
  const auto last = pages.last(page_bytes());
  return page_is_resident(last.data()) &&
         (pages.size() == last.size() || page_is_resident(pages.data()));
}

bool NvmeStore::will_need(std::span<const std::byte> bytes) {
  if (is_in_memory(bytes)) return false;
  const std::span<std::byte> pages = whole_pages(bytes);
  ::madvise(pages.data(), pages.size(), MADV_WILLNEED);
  return true;
}

NvmeStore::BuffersUse NvmeStore::use_buffers() {
  return {buffers_in_use_.exchange(true) ? nullptr : this,
          [](NvmeStore* store) { store->buffers_in_use_.store(false); }};
}

// A pass that has the buffers while it lives.
class NvmeStore::BuffersPass final : public PassReader {
 public:
  BuffersPass(BuffersUse use, const PassOrder& order, const Held& held, NvmeStore& store)
      : use_(std::move(use)), pass_(order, held, *store.buffers_, store.shadows_, store.cpus_) {}
  void await(std::size_t block) override { pass_.await(block); }
  void release(std::size_t block) override { pass_.release(block); }

 private:
  BuffersUse use_;
  ReadAhead pass_;
};

std::string NvmeStore::expect_passes(std::span<const int> cpus) {
  const BuffersUse use = use_buffers();
  if (!use) return {};  // it was called before
  cpus_.assign(cpus.begin(), cpus.end());
  const Held held = live_.live();
  if (!held.empty() && !open_direct(*held.front()).is_open())
    return "nvme: reads ahead through the page cache: O_DIRECT is refused here";
  if (buffers_) return {};
  auto made = ReadAheadBuffers::make(kBuffersBytes / kChunkBytes, kChunkBytes);
  if (!made.ok()) return "nvme: reads ahead through the page cache: " + made.error().message;
  buffers_ = std::move(*made);
  return {};
}

std::unique_ptr<PassReader> NvmeStore::read_pass(const PassOrder& order) {
  BuffersUse use = use_buffers();
  if (!use || !buffers_) return nullptr;
  const Held held = live_.live();
  const std::size_t slots = ReadAhead::slots_needed(order, held, kChunkBytes);
  if (slots == 0 || slots > kSlotsMax || !open_direct(*held.front()).is_open()) return nullptr;
  if (slots > buffers_->slots()) {
    auto larger = ReadAheadBuffers::make(slots, kChunkBytes);
    if (!larger.ok()) return nullptr;
    buffers_ = std::move(*larger);
  }
  return std::make_unique<BuffersPass>(std::move(use), order, held, *this);
}

std::vector<std::filesystem::path> NvmeStore::places() const {
  const std::lock_guard lock(places_mutex_);
  std::vector<std::filesystem::path> paths;
  for (const auto& [device, path] : places_) paths.push_back(path);
  return paths;
}

void NvmeStore::remember_place(int descriptor, const std::filesystem::path& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return;
  const std::lock_guard lock(places_mutex_);
  places_.emplace(status.st_dev, path);
}

}  // namespace hdbench::pmem

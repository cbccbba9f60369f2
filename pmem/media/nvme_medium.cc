#include "pmem/media/nvme_medium.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/file_handle.h"
#include "engine/base/write_guard.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/base/region_source.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/region_heap.h"
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

class NvmeMedium final : public Medium {
 public:
  NvmeMedium(const std::filesystem::path& scratch_dir, bool drop_caches)
      : scratch_dir_(scratch_dir),
        drop_caches_(drop_caches),
        mounts_(read_mounts({})),
        store_(std::make_shared<NvmeStore>(scratch_dir)) {}

  std::string name() const override { return "nvme"; }
  bool emulated() const override { return disks().kind == MountKind::kMemory; }
  std::string label() const override { return disks().text; }
  bool has_cache() const override { return disks().kind != MountKind::kMemory; }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold && !has_cache()) {
      return usage_error("nvme: these files lie in memory, which has no cold state: " + label());
    }
    const Held held = store_->held();
    return cache == Cache::kCold ? make_cold(held, drop_caches_) : make_warm(held);
  }

  void let_pages_go() override { pmem::let_pages_go(store_->held()); }

  // The page cache may lie on any node; cold or warm is what prepare() proves.
  Result<PlacementProof> verify_placement() override {
    const Held held = store_->held();
    PlacementProof proof = count_placement(spans_of(held));
    const CacheProof resident = count_resident(held);
    proof.claim = "mapped from files, " + label();
    proof.how = "mincore";
    proof.bytes_total = resident.bytes_total;
    proof.bytes_resident = resident.bytes_resident;
    proof.bytes_where_promised = 0;
    for (const auto& one : held) {
      if (!one->path.empty() || one->descriptor >= 0) {
        proof.bytes_where_promised += one->bytes.size();
      }
    }
    return proof;
  }

 private:
  // Of what was mapped so far; before that, of the scratch directory.
  DiskLabel disks() const {
    std::vector<std::filesystem::path> places = store_->places();
    if (places.empty()) places.push_back(scratch_dir_);
    std::vector<Mount> found;
    for (const auto& place : places) {
      if (auto mount = mount_of(mounts_, place)) found.push_back(std::move(*mount));
    }
    return label_disks(found);
  }

  std::filesystem::path scratch_dir_;
  bool drop_caches_;
  std::vector<Mount> mounts_;
  std::shared_ptr<NvmeStore> store_;
  RegionHeap results_{map_huge_memory};
};

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

void NvmeStore::release_passes() {
  const BuffersUse use = use_buffers();
  HDB_CHECK(use != nullptr, "no pass is being read");
  buffers_.reset();
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

std::filesystem::path scratch_dir_of(const MediumOptions& options) {
  if (!options.scratch_dir.empty()) return options.scratch_dir;
  std::error_code failed;
  const auto directory = std::filesystem::temp_directory_path(failed);
  return failed ? std::filesystem::path("/tmp") : directory;
}

DiskLabel label_disks(const std::vector<Mount>& mounts) {
  if (mounts.empty()) return {MountKind::kOther, "unknown (no mount is listed for these files)"};
  std::vector<std::string> names;
  bool any_memory = false;
  bool all_disks = true;
  for (const Mount& mount : mounts) {
    const std::string name = describe(mount);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    any_memory |= mount.kind == MountKind::kMemory;
    all_disks &= mount.kind == MountKind::kDisk;
  }
  const std::string joined = fmt::format("{}", fmt::join(names, " and "));
  if (any_memory)
    return {MountKind::kMemory, fmt::format("emulated ({}: memory, not a disk)", joined)};
  if (all_disks) return {MountKind::kDisk, fmt::format("real ({})", joined)};
  return {MountKind::kOther, fmt::format("real ({}: the disk below is not known)", joined)};
}

Result<std::unique_ptr<Medium>> make_nvme_medium(const MediumOptions& options) {
  std::error_code ignored;
  const auto scratch_dir = scratch_dir_of(options);
  if (!options.scratch_dir.empty() && !std::filesystem::is_directory(scratch_dir, ignored)) {
    return data_error(
        fmt::format("nvme: scratch directory {}: not a directory", scratch_dir.string()));
  }
  return std::unique_ptr<Medium>(std::make_unique<NvmeMedium>(scratch_dir, options.drop_caches));
}

}  // namespace hdbench::pmem

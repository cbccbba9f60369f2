#include "pmem/media/nvme_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "pmem/media/nvme_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {
namespace {

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

#include "pmem/app_direct_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pmem/copy_store.h"
#include "pmem/free_room.h"
#include "pmem/image_store.h"
#include "pmem/persistent.h"
#include "pmem/region_heap.h"
#include "pmem/slab_resource.h"

namespace hdbench {
namespace {

constexpr std::size_t kReadPieceBytes = std::size_t{4} << 20;
constexpr std::size_t kCachedBytesMax = std::size_t{1} << 30;

RegionSource persistent_source(const AppDirectPlace& place) {
  return [place](std::size_t bytes) -> Result<Region> {
    HDB_TRY(require_room_on_disk(place.directory, bytes));
    if (place.in_memory) HDB_TRY(require_memory(place.directory.string(), bytes));
    HDB_ASSIGN(PersistentRegion mapped, map_persistent(place.directory, bytes));
    return std::move(mapped.region);
  };
}

class AppDirectStore final : public CopyStore {
 public:
  explicit AppDirectStore(const AppDirectPlace& place)
      : CopyStore(persistent_source(place), 1), must_sync_(!place.real && !place.in_memory) {}

  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    copy_persistent(destination, source);
    drain_persistent();
  }

 protected:
  // Piece by piece through a buffer: a file read straight into the mapping would go through the
  // CPU's caches.
  Status fill(const OpenFile& file, std::span<std::byte> target,
              const std::filesystem::path& path) override {
    const auto buffer_bytes = std::min(kReadPieceBytes, target.size());
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
    for (std::size_t at = 0; at < target.size(); at += buffer_bytes) {
      const std::span piece(buffer.get(), std::min(buffer_bytes, target.size() - at));
      HDB_TRY(read_fully(file.handle, at, piece, path));
      copy_persistent(target.data() + at, piece);
    }
    drain_persistent();
    return must_sync_ ? sync_persistent(target) : ok_status();
  }

 private:
  bool must_sync_;  // the page cache is between the mapping and its file
};

struct KeptDatabase {
  KeptImage image;
  std::filesystem::path root;
};

class AppDirectMedium final : public Medium {
 public:
  AppDirectMedium(const AppDirectPlace& place, std::optional<KeptDatabase> kept)
      : place_(place),
        store_(std::make_shared<AppDirectStore>(place)),
        small_(persistent_source(place)),
        results_({persistent_source(place), &small_, kCachedBytesMax}) {
    if (!kept) return;
    note_ = std::move(kept->image.note);
    kept_ = std::make_shared<ImageStore>(std::move(kept->image), kept->root, store_);
  }

  std::string name() const override { return "app-direct"; }
  bool emulated() const override { return !place_.real; }
  std::string label() const override { return place_.label; }
  bool has_cache() const override { return false; }
  std::string note() const override { return note_; }
  std::shared_ptr<Store> store() override {
    return kept_ ? std::static_pointer_cast<Store>(kept_) : store_;
  }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold) {
      return usage_error("app-direct: persistent memory has no cold state; use warm");
    }
    Held held = store_->held();
    if (kept_) {
      for (auto& one : kept_->held()) held.push_back(std::move(one));
    }
    return make_warm(held);
  }

  Result<PlacementProof> verify_placement() override {
    HDB_ASSIGN(const bool is_pmem, probe_pmem(place_.directory));
    if (place_.real && !is_pmem) {
      return data_error("app-direct: libpmem no longer calls " + place_.directory.string() +
                        " persistent memory");
    }
    PlacementProof proof = count_placement(spans_of(store_->held()));
    proof.is_pmem = is_pmem && place_.real;
    return proof;
  }

 private:
  AppDirectPlace place_;
  std::shared_ptr<AppDirectStore> store_;
  std::shared_ptr<ImageStore> kept_;  // null: every run loads what it needs
  std::string note_;
  SlabResource small_;
  RegionHeap results_;
};

}  // namespace

std::unique_ptr<Medium> make_app_direct_medium_at(const AppDirectPlace& place) {
  return std::make_unique<AppDirectMedium>(place, std::nullopt);
}

Result<std::unique_ptr<Medium>> make_app_direct_medium(const MediumOptions& options) {
  HDB_ASSIGN(const AppDirectPlace place,
             find_app_direct_place(read_machine(), options.pmem_dir, probe_pmem));
  if (options.keep_database.empty()) return make_app_direct_medium_at(place);
  HDB_ASSIGN(KeptImage image, keep_image(place, options.keep_database));
  image.note = fmt::format("app-direct: {}", image.note);
  std::unique_ptr<Medium> medium = std::make_unique<AppDirectMedium>(
      place, KeptDatabase{std::move(image), options.keep_database});
  return medium;
}

}  // namespace hdbench

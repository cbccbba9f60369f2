#include "pmem/media/app_direct_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/media/copy_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/region_heap.h"
#include "pmem/persistent/image_pool.h"
#include "pmem/persistent/libpmem_mapping.h"

namespace hdbench::pmem {
namespace {

constexpr std::size_t kReadPieceBytes = std::size_t{4} << 20;

std::string name_of(const AppDirectPlace& place) {
  return place.persistent ? "app-direct" : "tmpfs";
}

Error not_persistent(const AppDirectPlace& place, std::uint64_t found, std::uint64_t total) {
  return data_error(
      fmt::format("app-direct: expected persistent memory on {}, found {} of {} bytes that are not "
                  "mapped there "
                  "with MAP_SYNC",
                  place.directory.string(), total - found, total));
}

RegionSource persistent_source(const AppDirectPlace& place) {
  return [place](std::size_t bytes) -> Result<Region> {
    if (bytes == 0) return Region{};
    if (place.device) return place.device->take(bytes);
    HDB_TRY(require_room_on_disk(place.directory, bytes));
    if (place.in_memory) HDB_TRY(require_memory(place.directory.string(), bytes));
    HDB_ASSIGN(PersistentRegion made, map_persistent(place.directory, bytes));
    if (place.persistent && !made.is_pmem) return not_persistent(place, 0, bytes);
    return std::move(made.region);
  };
}

class AppDirectStore final : public CopyStore {
 public:
  using CopyStore::CopyStore;

  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    copy_persistent(destination, source);
    drain_persistent();
  }

 private:
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
    return ok_status();
  }
};

struct KeptDatabase {
  KeptImage image;
  std::filesystem::path root;
};

class AppDirectMedium final : public Medium {
 public:
  AppDirectMedium(const AppDirectPlace& place, std::optional<KeptDatabase> kept)
      : place_(place),
        source_(tracked(persistent_source(place), mapped_)),
        store_(std::make_shared<AppDirectStore>(source_)),
        results_(source_) {
    if (!kept) return;
    note_ = std::move(kept->image.note);
    kept_ = std::make_shared<ImageStore>(std::move(kept->image), kept->root, store_);
  }

  std::string name() const override { return name_of(place_); }
  std::string label() const override { return place_.label; }
  std::string note() const override { return note_; }
  bool copies_into_memory() const override { return !place_.persistent; }
  std::shared_ptr<Store> store() override {
    return kept_ ? std::static_pointer_cast<Store>(kept_) : store_;
  }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold) {
      return usage_error(fmt::format("{}: {} has no cold state; use warm", name(),
                                     place_.persistent ? "persistent memory" : "memory"));
    }
    Held held = store_->held();
    if (kept_) {
      for (auto& one : kept_->held()) held.push_back(std::move(one));
    }
    return make_warm(held);
  }

  // libpmem's word on each mapping was taken when it was made; the kernel's is requested now.
  Result<PlacementProof> verify_placement() override {
    ByteSpans spans = spans_of(mapped_->live());
    if (kept_) {
      for (const auto span : spans_of(kept_->held())) spans.push_back(span);
    }
    PlacementProof proof = count_placement(spans);
    if (!place_.device) proof.is_pmem = place_.persistent;  // libpmem knows only what it mapped
    if (!place_.persistent) return proof;
    if (!place_.device) {
      HDB_ASSIGN(const bool still_pmem, probe_pmem(place_.directory));
      if (!still_pmem) {
        return data_error("app-direct: libpmem no longer calls " + place_.directory.string() +
                          " persistent memory");
      }
    }
    HDB_TRY(prove_synchronous(spans, proof));
    return proof;
  }

 private:
  Status prove_synchronous(const ByteSpans& spans, PlacementProof& proof) const {
    proof.claim = "every byte on " + place_.directory.string();
    proof.bytes_total = 0;
    for (const auto span : spans) proof.bytes_total += span.size();
    const auto synchronous = synchronous_bytes(spans);
    proof.bytes_where_promised = synchronous.value_or(proof.bytes_total);
    const char* const by_hand = place_.device ? "mmap of the device" : "is_pmem";
    proof.how = synchronous ? fmt::format("{}, MAP_SYNC in smaps", by_hand) : by_hand;
    if (proof.bytes_where_promised == proof.bytes_total) return ok_status();
    return not_persistent(place_, proof.bytes_where_promised, proof.bytes_total);
  }

  AppDirectPlace place_;
  // Everything that was mapped there and is still held: columns and results alike.
  std::shared_ptr<MappingRegistry> mapped_ = std::make_shared<MappingRegistry>();
  RegionSource source_;
  std::shared_ptr<AppDirectStore> store_;
  std::shared_ptr<ImageStore> kept_;  // null: every run loads what it needs
  std::string note_;
  RegionHeap results_;
};

Result<std::unique_ptr<Medium>> make_in(const AppDirectPlace& place,
                                        const std::filesystem::path& keep_database) {
  if (keep_database.empty()) return make_app_direct_medium_at(place);
  if (place.device) {
    return usage_error(fmt::format("--pmem-keep: {} has no files to keep: name a DAX mount",
                                   place.directory.string()));
  }
  HDB_ASSIGN(KeptImage image, keep_image(place, keep_database));
  image.note = fmt::format("{}: {}", name_of(place), image.note);
  std::unique_ptr<Medium> medium =
      std::make_unique<AppDirectMedium>(place, KeptDatabase{std::move(image), keep_database});
  return medium;
}

}  // namespace

std::unique_ptr<Medium> make_app_direct_medium_at(const AppDirectPlace& place) {
  return std::make_unique<AppDirectMedium>(place, std::nullopt);
}

Result<std::unique_ptr<Medium>> make_app_direct_medium(const MediumOptions& options) {
  HDB_ASSIGN(const AppDirectPlace place,
             find_app_direct_place(read_machine(), options.pmem_dir, probe_pmem));
  return make_in(place, options.keep_database);
}

Result<std::unique_ptr<Medium>> make_tmpfs_medium(const MediumOptions& options) {
  HDB_ASSIGN(const AppDirectPlace place, find_tmpfs_place(read_machine(), options.pmem_dir));
  return make_in(place, options.keep_database);
}

}  // namespace hdbench::pmem

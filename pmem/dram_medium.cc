#include "pmem/dram_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "pmem/free_room.h"
#include "pmem/huge_memory.h"
#include "pmem/memory_store.h"
#include "pmem/numa_binding.h"

namespace hdbench {
namespace {

class DramMedium final : public Medium {
 public:
  explicit DramMedium(DramName name) : name_(std::move(name)) {}

  std::string name() const override { return name_.name; }
  bool emulated() const override { return false; }
  std::string label() const override {
    if (!name_.label.empty()) return name_.label;
    const int nodes = node_count();
    return nodes == 1 ? std::string("real (anonymous memory)")
                      : fmt::format("real (anonymous memory on {} nodes)", nodes);
  }
  bool has_cache() const override { return false; }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return *results_; }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold)
      return usage_error(name_.name + ": memory has no cold state; use warm");
    const Held held = store_->held();
    HDB_ASSIGN(CacheProof proof, make_warm(held));
    proof.bytes_in_huge_pages = huge_page_bytes(spans_of(held));
    return proof;
  }

  Result<PlacementProof> verify_placement() override {
    return count_placement(spans_of(store_->held()));
  }

 private:
  DramName name_;
  std::shared_ptr<MemoryStore> store_ =
      std::make_shared<MemoryStore>(map_huge_memory, static_cast<std::size_t>(node_count()));
  std::unique_ptr<RegionHeap> results_ = make_dram_heap();
};

}  // namespace

std::unique_ptr<Medium> make_dram_medium(const DramName& name) {
  return std::make_unique<DramMedium>(name);
}

std::unique_ptr<RegionHeap> make_dram_heap() {
  constexpr std::uint64_t kCachedBytesMax = std::uint64_t{4} << 30;
  const std::uint64_t memory_bytes = memory_figure("MemTotal").value_or(kCachedBytesMax);
  RegionHeap::Parts parts{map_huge_memory, std::pmr::new_delete_resource(),
                          std::min(kCachedBytesMax, memory_bytes / 4)};
  return std::make_unique<RegionHeap>(std::move(parts));
}

}  // namespace hdbench

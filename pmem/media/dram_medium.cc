#include "pmem/media/dram_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/base/machine_paths.h"
#include "pmem/machine/numa_nodes.h"
#include "pmem/media/memory_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/numa_binding.h"

namespace hdbench {
namespace {

class DramMedium final : public Medium {
 public:
  DramMedium(DramName name, PageLocator locate)
      : name_(std::move(name)), locate_(std::move(locate)) {
    // A node without CPUs is a medium of its own, even where its pages would be nobody's fault.
    for (const NumaNode& node : read_numa_nodes(MachinePaths{}.sysfs)) {
      if (!name_.on_any_node && node.has_cpus && node.memory_bytes > 0)
        nodes_.push_back(node.number);
    }
  }

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
    ByteSpans spans = spans_of(store_->held());
    for (const auto span : spans_of(results_mapped_->live())) spans.push_back(span);
    return prove_if_told({name_.name, nodes_, {}}, spans, locate_);
  }

 private:
  DramName name_;
  PageLocator locate_;
  std::vector<int> nodes_;  // with CPUs and memory; empty where the kernel shows none
  std::shared_ptr<MemoryStore> store_ =
      std::make_shared<MemoryStore>(map_huge_memory, static_cast<std::size_t>(node_count()));
  std::shared_ptr<MappingRegistry> results_mapped_ = std::make_shared<MappingRegistry>();
  std::unique_ptr<RegionHeap> results_ = make_dram_heap(results_mapped_);
};

}  // namespace

std::unique_ptr<Medium> make_dram_medium(const DramName& name, const PageLocator& locate) {
  return std::make_unique<DramMedium>(name, locate);
}

std::unique_ptr<RegionHeap> make_dram_heap(const std::shared_ptr<MappingRegistry>& mapped) {
  constexpr std::uint64_t kCachedBytesMax = std::uint64_t{4} << 30;
  const std::uint64_t memory_bytes = memory_figure("MemTotal").value_or(kCachedBytesMax);
  const RegionSource remembered = [mapped](std::size_t bytes) -> Result<Region> {
    HDB_ASSIGN(const Region region, map_huge_memory(bytes));
    return Region{region.bytes, mapped->add({region.bytes, region.keep_alive, {}, -1})};
  };
  return std::make_unique<RegionHeap>(mapped ? remembered : RegionSource(map_huge_memory),
                                      std::min(kCachedBytesMax, memory_bytes / 4));
}

}  // namespace hdbench

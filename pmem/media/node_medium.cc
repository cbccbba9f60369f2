#include "pmem/media/node_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "pmem/media/copy_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {
namespace {

class NodeMedium final : public Medium {
 public:
  NodeMedium(NodeChoice choice, PageLocator locate)
      : choice_(std::move(choice)),
        locate_(std::move(locate)),
        source_(tracked(bound_memory(choice_), mapped_)),
        store_(std::make_shared<CopyStore>(source_)),
        results_(source_) {}

  std::string name() const override { return choice_.name; }
  std::string label() const override { return choice_.label; }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override { return store_->prepare(cache, choice_.name); }

  Result<PlacementProof> verify_placement() override {
    return prove_placement({choice_.name, choice_.policy.nodes, choice_.weights},
                           spans_of(mapped_->live()), locate_);
  }

 private:
  NodeChoice choice_;
  PageLocator locate_;
  // Everything that was mapped on the nodes and is still held: columns and results alike.
  std::shared_ptr<MappingRegistry> mapped_ = std::make_shared<MappingRegistry>();
  RegionSource source_;
  std::shared_ptr<CopyStore> store_;
  RegionHeap results_;
};

}  // namespace

Status require_room_on_nodes(const NodeChoice& choice, std::size_t bytes,
                             const MachinePaths& paths) {
  const auto& nodes = choice.policy.nodes;
  const bool weighed = choice.weights.size() == nodes.size();
  const double sum = weighed ? std::accumulate(choice.weights.begin(), choice.weights.end(), 0.0)
                             : static_cast<double>(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = (weighed ? choice.weights[i] : 1) / sum;
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
    const auto available = available_on_node(paths.sysfs, nodes[i]);
    if (!available || *available >= wanted) continue;
    return data_error(fmt::format("{}: {} bytes wanted on node {}, {} available", choice.name,
                                  wanted, nodes[i], *available));
  }
  return ok_status();
}

RegionSource bound_memory(const NodeChoice& choice) {
  return [choice](std::size_t bytes) -> Result<Region> {
    if (bytes == 0) return Region{};
    HDB_TRY(require_room_on_nodes(choice, bytes));
    return map_huge_memory_at(bytes, choice.name, [&](std::span<std::byte> memory) -> Status {
      const Status bound = set_node_policy(memory, choice.policy);
      if (!bound.ok()) return data_error(choice.name + ": " + bound.error().message);
      return ok_status();
    });
  };
}

Result<std::unique_ptr<Medium>> make_node_medium(const NodeChoice& choice,
                                                 const PageLocator& locate) {
  // A page shows at once whether the kernel takes the policy at all.
  HDB_TRY(bound_memory(choice)(kRegionAlignment));
  return std::unique_ptr<Medium>(std::make_unique<NodeMedium>(choice, locate));
}

}  // namespace hdbench::pmem

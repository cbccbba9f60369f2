#include "pmem/media/memory_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "pmem/machine/numa_nodes.h"
#include "pmem/machine/topology.h"
#include "pmem/media/copy_store.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {
namespace {

class MemoryMedium final : public Medium {
 public:
  // is_bound: the memory is bound to the claim's nodes, so that a kernel that does not tell where
  // pages lie leaves the promise unproved. Otherwise huge pages are counted.
  MemoryMedium(std::string label, PlacementClaim claim, bool is_bound, const RegionSource& source,
               PageLocator locate)
      : label_(std::move(label)),
        claim_(std::move(claim)),
        is_bound_(is_bound),
        locate_(std::move(locate)),
        store_(std::make_shared<CopyStore>(source)),
        results_(tracked(source, results_mapped_)) {}

  std::string name() const override { return claim_.medium; }
  std::string label() const override { return label_; }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override { return store_->prepare(cache, claim_.medium); }

  Result<PlacementProof> verify_placement() override {
    ByteSpans spans = spans_of(store_->held());
    for (const auto span : spans_of(results_mapped_->live())) spans.push_back(span);
    if (is_bound_) return prove_placement(claim_, spans, locate_);
    HDB_ASSIGN(PlacementProof proof, prove_if_told(claim_, spans, locate_));
    proof.bytes_in_huge_pages = huge_page_bytes(spans);
    return proof;
  }

 private:
  std::string label_;
  PlacementClaim claim_;
  bool is_bound_;
  PageLocator locate_;
  std::shared_ptr<CopyStore> store_;
  std::shared_ptr<MappingRegistry> results_mapped_ = std::make_shared<MappingRegistry>();
  RegionHeap results_;
};

std::string dram_label() {
  if (own_nodes().size() < 2) return "real (anonymous memory)";
  return fmt::format("real (anonymous memory interleaved over {} nodes)", own_nodes().size());
}

}  // namespace

std::vector<int> ordinary_nodes(const MachinePaths& paths) {
  // Whether memory can be bound to a node, which read_machine() tries, does not matter: none is.
  std::vector<NumaNode> nodes = read_numa_nodes(paths);
  for (const NumaNode& known : read_machine(paths).nodes) {
    for (NumaNode& node : nodes) {
      if (node.number == known.number) node.origin = known.origin;
    }
  }
  std::vector<int> numbers;
  for (const NumaNode& node : nodes) {
    if (node.unusable.empty() && is_ordinary(node, nodes)) numbers.push_back(node.number);
  }
  return numbers;
}

std::unique_ptr<Medium> make_dram_medium(const DramName& name, const PageLocator& locate) {
  PlacementClaim claim{name.name, {}, {}};
  if (!name.on_any_node) claim.nodes = ordinary_nodes();
  return std::make_unique<MemoryMedium>(name.label.empty() ? dram_label() : name.label,
                                        std::move(claim), false, map_huge_memory, locate);
}

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
  return std::unique_ptr<Medium>(std::make_unique<MemoryMedium>(
      choice.label, PlacementClaim{choice.name, choice.policy.nodes, choice.weights}, true,
      bound_memory(choice), locate));
}

}  // namespace hdbench::pmem

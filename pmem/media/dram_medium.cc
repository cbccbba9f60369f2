#include "pmem/media/dram_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/machine/numa_nodes.h"
#include "pmem/machine/topology.h"
#include "pmem/media/copy_store.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/node_pages.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {
namespace {

class DramMedium final : public Medium {
 public:
  DramMedium(DramName name, PageLocator locate)
      : name_(std::move(name)), locate_(std::move(locate)) {
    if (!name_.on_any_node) nodes_ = ordinary_nodes();
  }

  std::string name() const override { return name_.name; }
  std::string label() const override {
    if (!name_.label.empty()) return name_.label;
    return own_nodes().size() < 2 ? std::string("real (anonymous memory)")
                                  : fmt::format("real (anonymous memory interleaved over {} nodes)",
                                                own_nodes().size());
  }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override { return store_->prepare(cache, name_.name); }

  Result<PlacementProof> verify_placement() override {
    ByteSpans spans = spans_of(store_->held());
    for (const auto span : spans_of(results_mapped_->live())) spans.push_back(span);
    HDB_ASSIGN(PlacementProof proof, prove_if_told({name_.name, nodes_, {}}, spans, locate_));
    proof.bytes_in_huge_pages = huge_page_bytes(spans);
    return proof;
  }

 private:
  DramName name_;
  PageLocator locate_;
  std::vector<int> nodes_;  // of ordinary memory; empty where the kernel shows none
  std::shared_ptr<CopyStore> store_ = std::make_shared<CopyStore>(map_huge_memory);
  std::shared_ptr<MappingRegistry> results_mapped_ = std::make_shared<MappingRegistry>();
  RegionHeap results_{tracked(map_huge_memory, results_mapped_)};
};

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
  return std::make_unique<DramMedium>(name, locate);
}

}  // namespace hdbench::pmem

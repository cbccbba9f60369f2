#include "pmem/memory/mapping_registry.h"

#include <algorithm>
#include <utility>

namespace hdbench::pmem {

std::shared_ptr<const TrackedMapping> MappingRegistry::add(TrackedMapping held) {
  auto shared = std::make_shared<const TrackedMapping>(std::move(held));
  const std::lock_guard lock(mutex_);
  if (held_.size() >= clean_at_) {
    std::erase_if(held_, [](const auto& one) { return one.expired(); });
    clean_at_ = std::max<std::size_t>(64, held_.size() * 2);
  }
  held_.push_back(shared);
  return shared;
}

std::vector<std::shared_ptr<const TrackedMapping>> MappingRegistry::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const TrackedMapping>> alive;
  for (const auto& held : held_) {
    if (auto shared = held.lock()) alive.push_back(std::move(shared));
  }
  return alive;
}

Region MappingRegistry::track(const Region& region, int descriptor) {
  if (region.bytes.empty()) return region;
  return {region.bytes, add({region.bytes, region.keep_alive, {}, descriptor})};
}

RegionSource tracked(RegionSource source, std::shared_ptr<MappingRegistry> registry) {
  return [source = std::move(source),
          registry = std::move(registry)](std::size_t bytes) -> Result<Region> {
    HDB_ASSIGN(const Region region, source(bytes));
    return registry->track(region);
  };
}

}  // namespace hdbench::pmem

#include "pmem/emulator/region_table.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace hdbench::pmem {

RegionTable::RegionTable() { publish(std::make_unique<const Sorted>()); }
RegionTable::~RegionTable() = default;

void RegionTable::publish(std::unique_ptr<const Sorted> next) {
  current_.store(next.get(), std::memory_order_release);
  versions_.push_back(std::move(next));
}

void RegionTable::add(EmulatedRegion region) {
  HDB_CHECK(region.begin < region.end, "a region is not empty");
  const std::lock_guard lock(mutex_);
  auto next = std::make_unique<Sorted>(*versions_.back());
  const auto place = std::find_if(next->begin(), next->end(),
                                  [&](const auto& other) { return other->begin >= region.begin; });
  const bool apart = (place == next->end() || region.end <= (*place)->begin) &&
                     (place == next->begin() || (*std::prev(place))->end <= region.begin);
  HDB_CHECK(apart, "regions do not overlap");
  next->insert(place, std::make_shared<const EmulatedRegion>(std::move(region)));
  publish(std::move(next));
}

void RegionTable::remove(std::uintptr_t begin) {
  const std::lock_guard lock(mutex_);
  auto next = std::make_unique<Sorted>(*versions_.back());
  const auto kept = std::remove_if(next->begin(), next->end(),
                                   [&](const auto& region) { return region->begin == begin; });
  if (kept == next->end()) return;
  next->erase(kept, next->end());
  publish(std::move(next));
}

const EmulatedRegion* RegionTable::find(std::uintptr_t address) const {
  const Sorted& sorted = *current_.load(std::memory_order_acquire);
  const auto after =
      std::upper_bound(sorted.begin(), sorted.end(), address,
                       [](std::uintptr_t at, const auto& region) { return at < region->begin; });
  if (after == sorted.begin()) return nullptr;
  const EmulatedRegion& region = **std::prev(after);
  return address < region.end ? &region : nullptr;
}

const EmulatedRegion* RegionTable::find(std::uintptr_t address, LastFound& last) const {
  const Sorted* const version = current_.load(std::memory_order_acquire);
  if (last.version == version && last.begin <= address && address < last.end) return last.region;
  const EmulatedRegion* const region = find(address);
  // What changed meanwhile is looked up anew.
  const bool is_current = region != nullptr && current_.load(std::memory_order_acquire) == version;
  last = is_current ? LastFound{version, region->begin, region->end, region} : LastFound{};
  return region;
}

void RegionTable::set_windows(std::uint32_t device, bool was_read) {
  const std::lock_guard lock(mutex_);
  for (const auto& region : *versions_.back()) {
    if (region->device == device && region->windows) region->windows->set_all(was_read);
  }
}

void RegionTable::collect() {
  const std::lock_guard lock(mutex_);
  versions_.erase(versions_.begin(), versions_.end() - 1);
}

}  // namespace hdbench::pmem

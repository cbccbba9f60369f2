#include "pmem/readahead/spare_mapping.h"

#include <sys/mman.h>

#include <utility>

namespace hdbench {

std::shared_ptr<const SpareMapping> SpareMapping::make(std::span<const std::byte> mapping,
                                                       std::shared_ptr<const void> keep_alive) {
  if (mapping.empty()) return nullptr;
  // An old length of 0 maps the same part of the file once more.
  void* const spare =
      ::mremap(const_cast<std::byte*>(mapping.data()), 0, mapping.size(), MREMAP_MAYMOVE);
  if (spare == MAP_FAILED) return nullptr;
  return std::shared_ptr<const SpareMapping>(
      new SpareMapping(mapping, static_cast<std::byte*>(spare), std::move(keep_alive)));
}

SpareMapping::~SpareMapping() { ::munmap(spare_, mapping_.size()); }

bool SpareMapping::put_back(std::span<const std::byte> pages) const {
  // Mapped once more, not moved: what is moved leaves a hole that others may map into.
  return ::mremap(spare_ + (pages.data() - mapping_.data()), 0, pages.size(),
                  MREMAP_MAYMOVE | MREMAP_FIXED,
                  const_cast<std::byte*>(pages.data())) != MAP_FAILED;
}

std::shared_ptr<const SpareMapping> SpareMappings::of(
    const std::shared_ptr<const HeldBytes>& held) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const SpareMapping>& known = spares_[held->bytes.data()];
  std::shared_ptr<const SpareMapping> spare = known.lock();
  if (!spare) {
    spare = SpareMapping::make(held->bytes, held);
    known = spare;
  }
  return spare;
}

}  // namespace hdbench

#include "pmem/readahead/shadow_mapping.h"

#include <sys/mman.h>

#include <utility>

namespace hdbench::pmem {

std::shared_ptr<const ShadowMapping> ShadowMapping::make(std::span<const std::byte> mapping,
                                                         std::shared_ptr<const void> keep_alive) {
  if (mapping.empty()) return nullptr;
  // An old length of 0 maps the same part of the file once more.
  void* const shadow =
      ::mremap(const_cast<std::byte*>(mapping.data()), 0, mapping.size(), MREMAP_MAYMOVE);
  if (shadow == MAP_FAILED) return nullptr;
  return std::shared_ptr<const ShadowMapping>(
      new ShadowMapping(mapping, static_cast<std::byte*>(shadow), std::move(keep_alive)));
}

ShadowMapping::~ShadowMapping() { ::munmap(shadow_, mapping_.size()); }

bool ShadowMapping::put_back(std::span<const std::byte> pages) const {
  // Mapped once more, not moved: what is moved leaves a hole that others may map into.
  return ::mremap(shadow_ + (pages.data() - mapping_.data()), 0, pages.size(),
                  MREMAP_MAYMOVE | MREMAP_FIXED,
                  const_cast<std::byte*>(pages.data())) != MAP_FAILED;
}

std::shared_ptr<const ShadowMapping> ShadowMappings::of(
    const std::shared_ptr<const TrackedMapping>& held) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const ShadowMapping>& known = shadows_[held->bytes.data()];
  std::shared_ptr<const ShadowMapping> shadow = known.lock();
  if (!shadow) {
    shadow = ShadowMapping::make(held->bytes, held);
    known = shadow;
  }
  return shadow;
}

}  // namespace hdbench::pmem

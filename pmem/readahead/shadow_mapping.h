// A second mapping of a file, at other addresses.
//
// While other pages are mapped in place of a mapping's own (read_ahead_buffers.h), this one allows
// restoring them with one system call, with the same file and access, even if the file was renamed
// or removed.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "pmem/memory/mapping_registry.h"

namespace hdbench::pmem {

class ShadowMapping {
 public:
  // Null: the kernel refused. Requires: one shared mapping of a file, from its first page on, of
  // which nothing else is shown; keep_alive holds it.
  static std::shared_ptr<const ShadowMapping> make(std::span<const std::byte> mapping,
                                                   std::shared_ptr<const void> keep_alive);
  ~ShadowMapping();
  ShadowMapping(const ShadowMapping&) = delete;
  ShadowMapping& operator=(const ShadowMapping&) = delete;

  // Puts the mapping's pages back in their place. False: the kernel refused, and nothing has
  // changed. Requires: whole pages of the mapping. Thread-safe.
  bool put_back(std::span<const std::byte> pages) const;

 private:
  ShadowMapping(std::span<const std::byte> mapping, std::byte* shadow,
                std::shared_ptr<const void> keep_alive)
      : mapping_(mapping), shadow_(shadow), keep_alive_(std::move(keep_alive)) {}

  std::span<const std::byte> mapping_;
  std::byte* shadow_;
  std::shared_ptr<const void> keep_alive_;
};

// At most one ShadowMapping of each mapping, shared by all who replace its pages, so that what is
// restored is always the file. Thread-safe.
class ShadowMappings {
 public:
  // Null: the kernel refused.
  std::shared_ptr<const ShadowMapping> of(const std::shared_ptr<const TrackedMapping>& held);

 private:
  std::mutex mutex_;
  std::map<const std::byte*, std::weak_ptr<const ShadowMapping>> shadows_;  // by where it begins
};

}  // namespace hdbench::pmem

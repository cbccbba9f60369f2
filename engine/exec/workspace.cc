#include "engine/exec/workspace.h"

#include "engine/base/check.h"

namespace hdbench {

Workspace::Workspace(std::uint64_t limit_bytes, std::pmr::memory_resource& upstream,
                     std::pmr::memory_resource* spill)
    : limit_bytes_(limit_bytes), upstream_(upstream), spill_(spill) {}

Workspace::~Workspace() { HDB_CHECK(used_bytes() == 0, "a result outlived its workspace"); }

void* Workspace::do_allocate(std::size_t bytes, std::size_t alignment) {
  std::uint64_t before = used_bytes_.load(std::memory_order_relaxed);
  bool over = false;
  do {
    over = limit_bytes_ != 0 && before + bytes > limit_bytes_;
    if (over && spill_ == nullptr) throw WorkspaceLimit(bytes, before, limit_bytes_);
  } while (!used_bytes_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  void* pointer = nullptr;
  try {
    if (!over) pointer = allocate_upstream(bytes, alignment);
    if (pointer == nullptr) pointer = allocate_spilled(bytes, alignment);
  } catch (...) {
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    throw;
  }
  raise_peak(before + bytes);
  return pointer;
}

void* Workspace::allocate_spilled(std::size_t bytes, std::size_t alignment) {
  void* const pointer = spill_->allocate(bytes, alignment);
  try {
    const std::lock_guard lock(spilled_mutex_);
    spilled_.insert(pointer);
  } catch (...) {  // a block that nobody remembers would go back to the wrong resource
    spill_->deallocate(pointer, bytes, alignment);
    throw;
  }
  spilled_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return pointer;
}

void Workspace::raise_peak(std::uint64_t used) {
  std::uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (peak < used && !peak_bytes_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
}

void Workspace::charge(std::uint64_t bytes) {
  std::uint64_t before = used_bytes_.load(std::memory_order_relaxed);
  do {
    if (limit_bytes_ != 0 && before + bytes > limit_bytes_)
      throw WorkspaceLimit(bytes, before, limit_bytes_);
  } while (!used_bytes_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  raise_peak(before + bytes);
}

void Workspace::give_back(std::uint64_t bytes) {
  used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

// Null: there is no space below the limit either, and spill_ has some.
void* Workspace::allocate_upstream(std::size_t bytes, std::size_t alignment) {
  try {
    return upstream_.allocate(bytes, alignment);
  } catch (const std::bad_alloc&) {
    if (spill_ == nullptr) throw;
    return nullptr;
  }
}

void Workspace::do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) {
  bool was_spilled = false;
  if (spill_ != nullptr) {
    const std::lock_guard lock(spilled_mutex_);
    was_spilled = spilled_.erase(pointer) != 0;
  }
  (was_spilled ? spill_ : &upstream_)->deallocate(pointer, bytes, alignment);
  used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace hdbench

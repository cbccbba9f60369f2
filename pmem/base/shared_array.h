// An array that stays one and the same in every process that is forked after it was made.
//
// For state that processes share without a lock, or with one of its own: no pointers, no allocation
// in it. Elements begin as T() and are never destroyed: T is trivial to destroy.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "pmem/base/mapped_memory.h"

namespace hdbench::pmem {

template <typename T>
class SharedArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  // Throws std::bad_alloc where there is no memory.
  explicit SharedArray(std::size_t count) : count_(count) {
    const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(T);
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) throw std::bad_alloc();
    memory_ = std::make_unique<MappedMemory>(address, bytes);
    // Fresh pages are zero, and a large array of numbers need not be touched.
    if constexpr (!std::is_integral_v<T>) std::uninitialized_value_construct_n(data(), count);
  }

  std::size_t size() const { return count_; }
  T* data() const { return reinterpret_cast<T*>(memory_->bytes().data()); }
  T& operator[](std::size_t at) const { return data()[at]; }
  std::span<T> all() const { return {data(), count_}; }
  // Zeroes numbers, and gives their pages back.
  void clear() const
    requires std::is_integral_v<T>
  {
    if (::madvise(data(), memory_->bytes().size(), MADV_REMOVE) != 0)
      std::uninitialized_value_construct_n(data(), count_);
  }

 private:
  std::size_t count_;
  std::unique_ptr<MappedMemory> memory_;
};

}  // namespace hdbench::pmem

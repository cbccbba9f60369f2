// Memory for tests, of which one allocation is refused.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <new>

namespace hdbench::testing {

// Throws std::bad_alloc instead of allocation number `refused`, counted from 0; all others are
// given.
class RefusingResource final : public std::pmr::memory_resource {
 public:
  explicit RefusingResource(int refused) : left_(refused) {}
  bool has_refused() const { return left_ < 0; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (left_-- == 0) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  int left_;
};

}  // namespace hdbench::testing

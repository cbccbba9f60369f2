// The workspace: the heap of one query, bounded by `-w` as kdb+'s is (docs/q-semantics.md,
// "Memory").
//
// A std::pmr resource that counts every byte that operators take (results and intermediates, not
// mapped files) and stops at the limit by throwing WorkspaceLimit, which execute() turns into a
// kLimit error. Thread-safe. It sits on an upstream resource: anonymous memory with huge pages, or
// a medium's (`--result-medium`).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <new>
#include <unordered_set>

namespace hdbench {

// Thrown where -w is reached; carries what was requested and what the limit was.
class WorkspaceLimit : public std::bad_alloc {
 public:
  WorkspaceLimit(std::uint64_t asked, std::uint64_t used, std::uint64_t limit)
      : asked_bytes(asked), used_bytes(used), limit_bytes(limit) {}
  const char* what() const noexcept override { return "-w abort"; }

  std::uint64_t asked_bytes;
  std::uint64_t used_bytes;
  std::uint64_t limit_bytes;
};

class Workspace final : public std::pmr::memory_resource {
 public:
  // limit_bytes 0: none. spill: where allocations go that the limit or the upstream resource
  // has no space for; null: they throw.
  Workspace(std::uint64_t limit_bytes, std::pmr::memory_resource& upstream,
            std::pmr::memory_resource* spill = nullptr);
  // Aborts when something is still allocated: that is a leak.
  ~Workspace() override;

  std::uint64_t limit_bytes() const { return limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  // The highest used_bytes so far; with spill it includes what was spilled.
  std::uint64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  // What went to spill so far.
  std::uint64_t spilled_bytes() const { return spilled_bytes_.load(std::memory_order_relaxed); }

  // Counts bytes of a query that lie in memory of their own (unpacked columns), within the limit:
  // throws WorkspaceLimit as an allocation does, and never spills.
  void charge(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);

 private:
  void raise_peak(std::uint64_t used);
  void* allocate_upstream(std::size_t bytes, std::size_t alignment);
  void* allocate_spilled(std::size_t bytes, std::size_t alignment);
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::uint64_t limit_bytes_;
  std::pmr::memory_resource& upstream_;
  std::pmr::memory_resource* spill_;
  std::atomic<std::uint64_t> used_bytes_{0};
  std::atomic<std::uint64_t> peak_bytes_{0};
  std::atomic<std::uint64_t> spilled_bytes_{0};
  // Which live blocks came from spill_.
  std::mutex spilled_mutex_;
  std::unordered_set<void*> spilled_;
};

}  // namespace hdbench

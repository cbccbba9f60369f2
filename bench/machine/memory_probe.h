// Measures once what memory can do on a number of threads: the loops of stream.h and line_walk.h
// over two huge-page buffers that exceed the caches.
//
// Each thread works on its own contiguous part of both buffers, which it maps and first touches
// itself. A pass uses the buffer that was not touched last, so that caches hold the other one. All
// threads start together; the time is from the first start to the last end. Every answer is
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/machine/host.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/base/thread_pool.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench {

// GB/s are 1e9 bytes a second of all threads together.
struct MemoryRound {
  double read_gb_s = 0;    // the fastest of the three orders (stream.h)
  double write_gb_s = 0;   // normal stores
  double stream_gb_s = 0;  // stores past the caches
  // Bytes read and bytes written, past the caches; the faster of the two orders.
  double copy_gb_s = 0;
  double gather_gb_s = 0;  // whole 64-byte lines, independent and in random order
  double gather_ns = 0;    // a line on one thread
  double chase_ns = 0;     // a line that the one before it names, on one thread
};

// All last-level caches of the CPUs that this process may use; 0 where the kernel does not tell.
std::uint64_t last_level_bytes(const Host& host);

// Bytes of one of the two buffers for this machine: twice its last-level caches, at least 256 MiB,
// at most 1 GiB and a sixteenth of its memory: then caches may hold them, which is to be said.
std::size_t probe_bytes(const Host& host);

class MemoryProbe {
 public:
  // Measures memory from `source`; by default the nearest.
  explicit MemoryProbe(std::size_t buffer_bytes, RegionSource source = map_huge_memory)
      : buffer_bytes_(buffer_bytes), source_(std::move(source)) {}

  // On all threads of the pool. The buffers are mapped when the number of threads differs from the
  // last call's. Errors: kData where the memory is not available; kMismatch for a wrong answer.
  Result<MemoryRound> measure(ThreadPool& pool);

  // Bytes of the two buffers in huge pages when last mapped; nothing before, or where the kernel
  // does not show it.
  std::optional<std::uint64_t> huge_bytes() const { return huge_bytes_; }

  // Both buffers, as they were last mapped.
  std::vector<std::span<const std::byte>> buffers() const;

  // Gives the buffers back.
  void release() { parts_.clear(); }

 private:
  // One thread's share of both buffers.
  struct Part {
    Region here;
    Region there;
    std::uint64_t linked_sum = 0;
    std::uint64_t answer = 0;
  };

  Status map_parts(ThreadPool& pool);
  // Seconds that `pass` took on all threads.
  Result<double> timed(ThreadPool& pool, const std::function<void(Part&)>& pass);
  // Errors: kMismatch where a part's answer is not what is expected of it.
  Status check(const char* what, const std::function<std::uint64_t(const Part&)>& expected) const;
  Result<MemoryRound> streams(ThreadPool& pool);
  Status walks(ThreadPool& pool, MemoryRound& round);

  std::size_t buffer_bytes_;
  RegionSource source_;
  std::size_t part_words_ = 0;
  std::vector<Part> parts_;
  std::optional<std::uint64_t> huge_bytes_;
};

}  // namespace hdbench

// Measures once what memory can do on a number of threads: the loops of stream.h and walks over
// lines in random order, over two huge-page buffers of several times the last-level caches.
//
// The buffers are cut into blocks of the size of an operator's column of a morsel, and a pool
// shares them out as it shares a query's morsels (task_shares.h): a slow CPU takes fewer. A pass is
// a run of the pool, over so many blocks a thread that its start and its end are a small part of
// it and that no private cache holds a thread's share; a stream takes as many passes as last
// kStreamSeconds. Every answer is checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/machine/host.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/base/thread_pool.h"
#include "engine/kernel/selection.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {

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
  // The blocks that the slowest thread read, over those of an even share: 1 where all CPUs are
  // equal.
  double slowest_share = 0;
};

// All last-level caches of the CPUs that this process may use; 0 where the kernel does not tell.
std::uint64_t last_level_bytes(const Host& host);

// The buffers that a measurement of memory needs at least, in last-level caches.
constexpr std::uint64_t kProbedCaches = 4;

// Bytes of one of the two buffers for this machine: kProbedCaches times its last-level caches, at
// least 64 MiB a CPU and 256 MiB, at most a sixteenth of its memory: then caches may hold a part,
// which is to be said.
std::size_t probe_bytes(const Host& host);

class MemoryProbe {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{512} << 10;
  // A stream lasts at least this long, from the second measurement of a thread count on; over
  // buffers below kStreamBytes as many times less as these are smaller: caches need no such time.
  static constexpr double kStreamSeconds = 0.05;
  static constexpr std::size_t kStreamBytes = std::size_t{64} << 20;

  // Measures memory from `source`; by default dram's.
  explicit MemoryProbe(std::size_t buffer_bytes, RegionSource source = map_huge_memory)
      : buffer_bytes_(buffer_bytes), source_(std::move(source)) {}

  // On all threads of the pool. Maps the buffers if none are, or if there are more threads than
  // blocks. Errors: kData where the memory is not available; kMismatch for a wrong answer.
  Result<MemoryRound> measure(ThreadPool& pool);

  // Bytes of the two buffers in huge pages when last mapped; nothing before, or where the kernel
  // does not show it.
  std::optional<std::uint64_t> huge_bytes() const { return huge_bytes_; }

  // Both buffers; none before the first measurement.
  std::vector<std::span<const std::byte>> buffers() const;

  // Gives the buffers back.
  void release();

 private:
  // What measures a rate. Each has its own number of passes.
  enum Stream : std::size_t {
    kWrite,
    kRead,
    kWritePast,
    kReadFetched,
    kCopy,
    kCopyPages,
    kReadPages,
    kStreams
  };
  // The passes over a buffer that each stream takes; 0: it was not measured yet.
  using Passes = std::array<std::size_t, kStreams>;

  // What a task does, and the answer that it gives; answers are added up.
  using Work = std::function<std::uint64_t(std::size_t task)>;
  struct Timed {
    double seconds = 0;
    std::uint64_t answer = 0;
    double slowest_share = 0;
  };

  Status map_buffers(ThreadPool& pool);
  // Runs `tasks` tasks on the pool.
  static Timed timed(ThreadPool& pool, std::size_t tasks, const Work& work);
  // Goes so many times over all blocks; `work` is called with a block's number.
  Timed over_blocks(ThreadPool& pool, std::size_t passes, const Work& work) const;
  // The same as often as `stream` wants it, with its rate in GB/s of one byte a byte of the buffer.
  // `expected` is the answer of one pass. Errors: kMismatch.
  Result<double> measured(ThreadPool& pool, Stream stream, const Work& work, std::uint64_t expected,
                          double* slowest_share = nullptr);
  Result<MemoryRound> streams(ThreadPool& pool);
  Status walks(ThreadPool& pool, MemoryRound& round) const;

  std::span<std::uint64_t> block(const Region& region, std::size_t number) const;

  std::size_t buffer_bytes_;
  RegionSource source_;
  Region here_;
  Region there_;
  std::vector<std::uint64_t> linked_sums_;  // of the blocks of here_, as they were linked
  std::map<std::size_t, Passes> passes_;    // by threads
  std::optional<std::uint64_t> huge_bytes_;
};

// Walks access lines of memory in an order that no prefetcher predicts: dependent (a pointer chase)
// or independent (a gather). The number of lines is a power of two. Their order is a linear
// congruential generator of full period (Hull and Dobell): every line once before any repeats,
// without a table.
inline constexpr std::size_t kLineWords = kLineBytes / sizeof(std::uint64_t);

// The largest power of two of lines in so many words; 0 where there is no line.
std::size_t walked_lines(std::size_t words);

// Sets words [begin, end): the first word of every walked line of `words` to the number of its
// successor, and every other word to its own index. Returns the sum of these words, wrapping.
std::uint64_t link_lines(std::span<std::uint64_t> words, std::size_t begin, std::size_t end);

// A line to start a walk from, another one for each number, of so many lines.
std::uint64_t start_line(std::size_t number, std::size_t lines);

// The line `hops` after line `from`, each found in the line before it. Requires: link_lines() of
// all words, a line.
std::uint64_t chase(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t hops);
// The result that chase() must give, computed without memory.
std::uint64_t chase_expected(std::size_t lines, std::uint64_t from, std::size_t hops);

// The sum of the first words of `count` lines, drawn one after the other from line `from` on, in
// another order than the chase's and independent of what is read. Requires: as chase().
std::uint64_t gather(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t count);
std::uint64_t gather_expected(std::size_t lines, std::uint64_t from, std::size_t count);

}  // namespace hdbench::bench

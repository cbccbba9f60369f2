#include "bench/machine/memory_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "bench/machine/line_walk.h"
#include "engine/base/units.h"
#include "engine/kernel/stream.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBufferMin = 256 * kMiB;
constexpr std::size_t kBufferMax = 1024 * kMiB;
// A thread's share at least: whole blocks of eight pages.
constexpr std::size_t kPartUnit = 32 << 10;
constexpr std::size_t kHopsMax = 100'000;       // about 10 ms
constexpr std::size_t kGathersMax = 1'000'000;  // of each thread

std::span<std::uint64_t> words_of(const Region& region) {
  return {reinterpret_cast<std::uint64_t*>(region.bytes.data()),
          region.bytes.size() / sizeof(std::uint64_t)};
}

// Lets threads begin together. A thread that never comes must not hang the run.
class StartLine {
 public:
  explicit StartLine(std::size_t threads) : threads_(threads) {}

  void wait() {
    constexpr int kSpins = 10'000;
    const auto give_up = Clock::now() + std::chrono::seconds(10);
    arrived_.fetch_add(1, std::memory_order_acq_rel);
    for (int spin = 0; arrived_.load(std::memory_order_acquire) < threads_; ++spin) {
      if (spin < kSpins) continue;
      if (Clock::now() > give_up) missed_.store(true, std::memory_order_relaxed);
      if (missed_.load(std::memory_order_relaxed)) return;
      std::this_thread::yield();
    }
  }
  bool missed() const { return missed_.load(std::memory_order_relaxed); }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<bool> missed_{false};
};

double giga(std::size_t bytes, double seconds) {
  return static_cast<double>(bytes) / std::max(seconds, 1e-9) / 1e9;
}

}  // namespace

std::uint64_t last_level_bytes(const Host& host) {
  int last_level = 0;
  for (const CpuCache& cache : host.caches) last_level = std::max(last_level, cache.level);
  std::uint64_t cached = 0;
  for (const CpuCache& cache : host.caches) {
    if (cache.level != last_level || cache.type == "Instruction") continue;
    const std::size_t sharing = std::max<std::size_t>(1, cache.sharing);
    cached = cache.bytes * std::max<std::size_t>(1, (host.cpus + sharing - 1) / sharing);
  }
  return cached;
}

std::size_t probe_bytes(const Host& host) {
  const std::size_t bytes =
      std::clamp<std::size_t>(2 * last_level_bytes(host), kBufferMin, kBufferMax);
  const std::uint64_t memory = host.memory_limit_bytes.value_or(host.memory_bytes);
  const std::size_t share = memory == 0 ? bytes : memory / 16;
  return std::max(std::min(bytes, share) / kHugePageBytes, std::size_t{1}) * kHugePageBytes;
}

Result<double> MemoryProbe::timed(ThreadPool& pool, const std::function<void(Part&)>& pass) {
  StartLine start(parts_.size());
  std::vector<Clock::time_point> begins(parts_.size());
  std::vector<Clock::time_point> ends(parts_.size());
  // The start line gives every thread one task: none can take a second before all have one.
  pool.run(parts_.size(), [&](std::size_t, std::size_t worker) {
    start.wait();
    begins[worker] = Clock::now();
    pass(parts_[worker]);
    ends[worker] = Clock::now();
  });
  if (start.missed()) {
    return data_error(
        fmt::format("the {} threads of the pool did not start together", parts_.size()));
  }
  const auto begin = *std::min_element(begins.begin(), begins.end());
  const auto end = *std::max_element(ends.begin(), ends.end());
  return std::chrono::duration<double>(end - begin).count();
}

Status MemoryProbe::map_parts(ThreadPool& pool) {
  const std::size_t threads = pool.size();
  if (parts_.size() == threads) return ok_status();
  parts_.clear();
  const std::size_t share = buffer_bytes_ / threads;
  const std::size_t unit = share >= kHugePageBytes ? kHugePageBytes : kPartUnit;
  const std::size_t part_bytes = std::max(share / unit, std::size_t{1}) * unit;
  part_words_ = part_bytes / sizeof(std::uint64_t);
  parts_.resize(threads);
  std::vector<Status> mapped(threads, ok_status());
  const auto map = [&](Part& part) -> Status {
    HDB_ASSIGN(part.here, source_(part_bytes));
    HDB_ASSIGN(part.there, source_(part_bytes));
    part.linked_sum = link_lines(words_of(part.here));
    stream_fill(words_of(part.there), 0, StoreKind::kNormal);
    return ok_status();
  };
  const auto done = timed(pool, [&](Part& part) {
    mapped[static_cast<std::size_t>(&part - parts_.data())] = map(part);
  });
  Status status = done.ok() ? ok_status() : Status(done.error());
  for (const Status& one : mapped) {
    if (status.ok()) status = one;
  }
  if (!status.ok()) {
    parts_.clear();
    return status;
  }
  huge_bytes_ = huge_page_bytes(buffers());
  return ok_status();
}

std::vector<std::span<const std::byte>> MemoryProbe::buffers() const {
  std::vector<std::span<const std::byte>> spans;
  for (const Part& part : parts_) {
    spans.push_back(part.here.bytes);
    spans.push_back(part.there.bytes);
  }
  return spans;
}

Status MemoryProbe::check(const char* what,
                          const std::function<std::uint64_t(const Part&)>& expected) const {
  for (const Part& part : parts_) {
    if (part.answer == expected(part)) continue;
    return Error{ErrorKind::kMismatch,
                 fmt::format("memory ceilings: {} gave {:x}, expected {:x}", what, part.answer,
                             expected(part)),
                 {}};
  }
  return ok_status();
}

// In this order no pass finds in a cache what it is to fetch from memory, or has another pass's
// dirty lines written back at its cost.
Result<MemoryRound> MemoryProbe::streams(ThreadPool& pool) {
  constexpr std::uint64_t kNormalValue = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t kPastValue = 0xbf58476d1ce4e5b9;
  const std::size_t bytes = part_words_ * sizeof(std::uint64_t) * parts_.size();
  const auto filled = [&](std::uint64_t value) {
    return [this, value](const Part&) { return value * part_words_; };
  };
  const auto sum_here = [](StreamOrder order) {
    return [order](Part& part) { part.answer = stream_sum(words_of(part.here), order); };
  };
  const auto sum_there = [](StreamOrder order) {
    return [order](Part& part) { part.answer = stream_sum(words_of(part.there), order); };
  };
  const auto linked = [](const Part& part) { return part.linked_sum; };
  MemoryRound round;
  // The round before has walked over `there`.
  HDB_ASSIGN([[maybe_unused]] const double before, timed(pool, sum_here(StreamOrder::kLinear)));
  HDB_ASSIGN(const double write, timed(pool, [&](Part& part) {
               stream_fill(words_of(part.there), kNormalValue, StoreKind::kNormal);
             }));
  HDB_ASSIGN([[maybe_unused]] const double after, timed(pool, sum_there(StreamOrder::kLinear)));
  HDB_TRY(check("a fill", filled(kNormalValue)));
  HDB_ASSIGN(const double read, timed(pool, sum_here(StreamOrder::kLinear)));
  HDB_TRY(check("a read", linked));
  HDB_ASSIGN(const double stream, timed(pool, [&](Part& part) {
               stream_fill(words_of(part.there), kPastValue, StoreKind::kNonTemporal);
             }));
  HDB_ASSIGN(const double read_fetched, timed(pool, sum_there(StreamOrder::kFetched)));
  HDB_TRY(check("a fill past the caches", filled(kPastValue)));
  HDB_ASSIGN(const double copy, timed(pool, [](Part& part) {
               stream_copy(words_of(part.here), words_of(part.there), StreamOrder::kLinear,
                           StoreKind::kNonTemporal);
             }));
  HDB_ASSIGN(const double copy_pages, timed(pool, [](Part& part) {
               stream_copy(words_of(part.there), words_of(part.here), StreamOrder::kEightPages,
                           StoreKind::kNonTemporal);
             }));
  HDB_ASSIGN(const double read_pages, timed(pool, sum_here(StreamOrder::kEightPages)));
  HDB_TRY(check("a read of a copy", linked));
  round.write_gb_s = giga(bytes, write);
  round.read_gb_s = giga(bytes, std::min({read, read_fetched, read_pages}));
  round.stream_gb_s = giga(bytes, stream);
  round.copy_gb_s = giga(2 * bytes, std::min(copy, copy_pages));
  return round;
}

// Over the copy, which was not touched last: each line read must name its right successor there.
Status MemoryProbe::walks(ThreadPool& pool, MemoryRound& round) {
  const std::size_t lines = walked_lines(part_words_);
  const std::size_t hops = std::min(lines, kHopsMax);
  const std::size_t gathers = std::min(lines / 2, kGathersMax);
  HDB_ASSIGN(const double chasing,
             timed(pool, [&](Part& part) { part.answer = chase(words_of(part.there), hops); }));
  const std::uint64_t chased = chase_expected(lines, hops);
  HDB_TRY(check("a chase", [&](const Part&) { return chased; }));
  HDB_ASSIGN(const double gathering,
             timed(pool, [&](Part& part) { part.answer = gather(words_of(part.there), gathers); }));
  const std::uint64_t gathered = gather_expected(lines, gathers);
  HDB_TRY(check("a gather", [&](const Part&) { return gathered; }));
  round.chase_ns = chasing * 1e9 / static_cast<double>(hops);
  round.gather_ns = gathering * 1e9 / static_cast<double>(gathers);
  round.gather_gb_s = giga(gathers * kLineBytes * parts_.size(), gathering);
  return ok_status();
}

Result<MemoryRound> MemoryProbe::measure(ThreadPool& pool) {
  HDB_TRY(map_parts(pool));
  HDB_ASSIGN(MemoryRound round, streams(pool));
  HDB_TRY(walks(pool, round));
  return round;
}

}  // namespace hdbench

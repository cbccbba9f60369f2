#include "bench/machine/memory_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "engine/base/bytes.h"
#include "engine/kernel/stream.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBufferMin = 256 * kMiB;
constexpr std::size_t kBytesOfCpu = 64 * kMiB;  // more than private caches hold
constexpr std::size_t kBlockWords = MemoryProbe::kBlockBytes / sizeof(std::uint64_t);
constexpr std::size_t kHopsMax = 200'000;      // 20 to 40 ms
constexpr std::size_t kSettling = 2;           // times as many before them
constexpr std::size_t kGathersOfTask = 4'096;  // lines; about as long as a block of a stream
constexpr std::size_t kGatherTasks = 256;      // of each thread

std::span<std::uint64_t> words_of(const Region& region) {
  return {reinterpret_cast<std::uint64_t*>(region.bytes.data()),
          region.bytes.size() / sizeof(std::uint64_t)};
}

double giga(std::size_t bytes, double seconds) {
  return static_cast<double>(bytes) / std::max(seconds, 1e-9) / 1e9;
}

// What a worker adds up, on a line of its own.
struct alignas(64) WorkerSum {
  std::uint64_t answer = 0;
  std::size_t tasks = 0;
};

Error wrong_answer(const char* what, std::uint64_t found, std::uint64_t expected) {
  return {ErrorKind::kMismatch,
          fmt::format("memory ceilings: {} gave {:x}, expected {:x}", what, found, expected),
          {}};
}

// Full period modulo any power of two: the multiplier is 1 modulo 4, the increment odd.
std::uint64_t next_in_chase(std::uint64_t line, std::uint64_t mask) {
  return (line * 6364136223846793005u + 1442695040888963407u) & mask;
}

std::uint64_t next_in_gather(std::uint64_t line, std::uint64_t mask) {
  return (line * 2862933555777941757u + 3037000493u) & mask;
}

// How far the gather asks ahead: more lines than any core keeps in flight.
constexpr std::size_t kAhead = 64;

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
  const std::uint64_t wanted = std::max<std::uint64_t>(
      {kProbedCaches * last_level_bytes(host), kBytesOfCpu * host.cpus, kBufferMin});
  const std::uint64_t memory = host.memory_limit_bytes.value_or(host.memory_bytes);
  const std::uint64_t share = memory == 0 ? wanted : memory / 16;
  return std::max<std::uint64_t>(std::min(wanted, share) / kHugePageBytes, 1) * kHugePageBytes;
}

MemoryProbe::Timed MemoryProbe::timed(ThreadPool& pool, std::size_t tasks, const Work& work) {
  std::vector<WorkerSum> sums(pool.size());
  pool.wake();
  const auto begin = Clock::now();
  pool.run(tasks, [&](std::size_t task, std::size_t worker) {
    sums[worker].answer += work(task);
    ++sums[worker].tasks;
  });
  Timed all;
  all.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::size_t fewest = tasks;
  for (const WorkerSum& sum : sums) {
    all.answer += sum.answer;
    fewest = std::min(fewest, sum.tasks);
  }
  all.slowest_share = static_cast<double>(fewest * pool.size()) /
                      static_cast<double>(std::max<std::size_t>(tasks, 1));
  return all;
}

MemoryProbe::Timed MemoryProbe::over_blocks(ThreadPool& pool, std::size_t passes,
                                            const Work& work) const {
  Timed all;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const Timed one = timed(pool, linked_sums_.size(), work);
    all.seconds += one.seconds;
    all.answer += one.answer;
    all.slowest_share += one.slowest_share;
  }
  // Divided once: a sum of rounded quotients can come out above one.
  all.slowest_share /= static_cast<double>(passes);
  return all;
}

Result<double> MemoryProbe::measured(ThreadPool& pool, Stream stream, const Work& work,
                                     std::uint64_t expected, double* slowest_share) {
  std::size_t& next_passes = passes_[pool.size()][stream];
  const std::size_t passes = std::max<std::size_t>(next_passes, 1);
  const Timed all = over_blocks(pool, passes, work);
  if (all.answer != passes * expected) {
    constexpr const char* kNames[kStreams] = {"a write",        "a read", "a write past the caches",
                                              "a fetched read", "a copy", "a copy by pages",
                                              "a read by pages"};
    return wrong_answer(kNames[stream], all.answer, passes * expected);
  }
  constexpr double kPassesMax = 1000;
  const double pass_seconds = std::max(all.seconds / static_cast<double>(passes), 1e-6);
  const double share = static_cast<double>(buffer_bytes_) / static_cast<double>(kStreamBytes);
  const double stream_seconds = kStreamSeconds * std::min(share, 1.0);
  const double wanted = std::clamp(std::ceil(stream_seconds / pass_seconds), 1.0, kPassesMax);
  next_passes = static_cast<std::size_t>(wanted);
  if (slowest_share != nullptr) *slowest_share = all.slowest_share;
  return giga(passes * linked_sums_.size() * kBlockBytes, all.seconds);
}

std::span<std::uint64_t> MemoryProbe::block(const Region& region, std::size_t number) const {
  return words_of(region).subspan(number * kBlockWords, kBlockWords);
}

Status MemoryProbe::map_buffers(ThreadPool& pool) {
  if (linked_sums_.size() >= pool.size()) return ok_status();
  release();
  const std::size_t blocks = std::max(buffer_bytes_ / kBlockBytes, pool.size());
  HDB_ASSIGN(here_, source_(blocks * kBlockBytes));
  auto there = source_(blocks * kBlockBytes);
  if (!there.ok()) {
    release();
    return there.error();
  }
  there_ = std::move(*there);
  linked_sums_.resize(blocks);
  timed(pool, blocks, [&](std::size_t number) {
    const std::size_t begin = number * kBlockWords;
    linked_sums_[number] = link_lines(words_of(here_), begin, begin + kBlockWords);
    stream_copy(block(here_, number), block(there_, number), StreamOrder::kLinear,
                StoreKind::kNonTemporal);
    return 0;
  });
  huge_bytes_ = huge_page_bytes(buffers());
  return ok_status();
}

void MemoryProbe::release() {
  linked_sums_.clear();
  here_ = {};
  there_ = {};
}

std::vector<std::span<const std::byte>> MemoryProbe::buffers() const {
  if (linked_sums_.empty()) return {};
  return {here_.bytes, there_.bytes};
}

// In this order no stream finds much in the caches of what it is to fetch from memory, or has
// another one's dirty lines written back at its cost.
Result<MemoryRound> MemoryProbe::streams(ThreadPool& pool) {
  constexpr std::uint64_t kNormalValue = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t kPastValue = 0xbf58476d1ce4e5b9;
  const std::size_t blocks = linked_sums_.size();
  std::uint64_t linked = 0;
  for (std::size_t number = 0; number < blocks; ++number) linked += linked_sums_[number];
  const auto sum = [&](const Region& region, StreamOrder order) {
    return [&, order](std::size_t number) { return stream_sum(block(region, number), order); };
  };
  const auto fill = [&](std::uint64_t value, StoreKind stores) {
    return [&, value, stores](std::size_t number) -> std::uint64_t {
      stream_fill(block(there_, number), value, stores);
      return 0;
    };
  };
  const auto copy = [&](const Region& from, const Region& to, StreamOrder order) {
    return [&, order](std::size_t number) -> std::uint64_t {
      stream_copy(block(from, number), block(to, number), order, StoreKind::kNonTemporal);
      return 0;
    };
  };
  const auto filled = [&](std::uint64_t value) { return value * blocks * kBlockWords; };
  MemoryRound round;
  HDB_ASSIGN(round.write_gb_s, measured(pool, kWrite, fill(kNormalValue, StoreKind::kNormal), 0));
  const Timed after = over_blocks(pool, 1, sum(there_, StreamOrder::kLinear));
  if (after.answer != filled(kNormalValue))
    return wrong_answer("a fill", after.answer, filled(kNormalValue));
  HDB_ASSIGN(const double read,
             measured(pool, kRead, sum(here_, StreamOrder::kLinear), linked, &round.slowest_share));
  HDB_ASSIGN(round.stream_gb_s,
             measured(pool, kWritePast, fill(kPastValue, StoreKind::kNonTemporal), 0));
  HDB_ASSIGN(const double fetched,
             measured(pool, kReadFetched, sum(there_, StreamOrder::kFetched), filled(kPastValue)));
  HDB_ASSIGN(const double copied,
             measured(pool, kCopy, copy(here_, there_, StreamOrder::kLinear), 0));
  HDB_ASSIGN(const double copied_pages,
             measured(pool, kCopyPages, copy(there_, here_, StreamOrder::kEightPages), 0));
  HDB_ASSIGN(const double pages,
             measured(pool, kReadPages, sum(here_, StreamOrder::kEightPages), linked));
  round.read_gb_s = std::max({read, fetched, pages});
  round.copy_gb_s = 2 * std::max(copied, copied_pages);
  return round;
}

// Over the copy, which was not touched last: each line read must name its right successor there.
Status MemoryProbe::walks(ThreadPool& pool, MemoryRound& round) const {
  const std::span<const std::uint64_t> words = words_of(there_);
  const std::size_t lines = walked_lines(words.size());
  const std::size_t hops = std::min(lines / pool.size() + 1, kHopsMax);
  // A first chase brings what the streams evicted back into the caches: the page tables.
  std::vector<std::uint64_t> from(pool.size());
  timed(pool, pool.size(), [&](std::size_t task) {
    return from[task] = chase(words, start_line(task, lines), kSettling * hops);
  });
  const Timed chasing =
      timed(pool, pool.size(), [&](std::size_t task) { return chase(words, from[task], hops); });
  std::uint64_t expected = 0;
  for (std::size_t task = 0; task < pool.size(); ++task)
    expected += chase_expected(lines, start_line(task, lines), (kSettling + 1) * hops);
  if (chasing.answer != expected) return wrong_answer("a chase", chasing.answer, expected);

  const std::size_t gathers = std::min(lines / 2 + 1, kGathersOfTask);
  const std::size_t tasks =
      std::clamp<std::size_t>(lines / gathers / pool.size(), 1, kGatherTasks) * pool.size();
  const Timed gathering = timed(pool, tasks, [&](std::size_t task) {
    return gather(words, start_line(task, lines), gathers);
  });
  expected = 0;
  for (std::size_t task = 0; task < tasks; ++task)
    expected += gather_expected(lines, start_line(task, lines), gathers);
  if (gathering.answer != expected) return wrong_answer("a gather", gathering.answer, expected);

  round.chase_ns = chasing.seconds * 1e9 / static_cast<double>(hops);
  round.gather_gb_s = giga(gathers * kLineBytes * tasks, gathering.seconds);
  round.gather_ns = static_cast<double>(kLineBytes * pool.size()) / round.gather_gb_s;
  return ok_status();
}

Result<MemoryRound> MemoryProbe::measure(ThreadPool& pool) {
  HDB_TRY(map_buffers(pool));
  HDB_ASSIGN(MemoryRound round, streams(pool));
  HDB_TRY(walks(pool, round));
  return round;
}

std::size_t walked_lines(std::size_t words) { return std::bit_floor(words / kLineWords); }

std::uint64_t link_lines(std::span<std::uint64_t> words, std::size_t begin, std::size_t end) {
  const std::uint64_t lines = walked_lines(words.size());
  std::uint64_t sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t line = i / kLineWords;
    const bool links = i % kLineWords == 0 && line < lines;
    words[i] = links ? next_in_chase(line, lines - 1) : i;
    sum += words[i];
  }
  return sum;
}

std::uint64_t start_line(std::size_t number, std::size_t lines) {
  return (number * 0x9e3779b97f4a7c15u >> 8) & (lines - 1);
}

std::uint64_t chase(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t hops) {
  const std::uint64_t* first = words.data();
  std::uint64_t line = from;
  for (std::size_t hop = 0; hop < hops; ++hop) line = first[line * kLineWords];
  return line;
}

std::uint64_t chase_expected(std::size_t lines, std::uint64_t from, std::size_t hops) {
  std::uint64_t line = from;
  for (std::size_t hop = 0; hop < hops; ++hop) line = next_in_chase(line, lines - 1);
  return line;
}

std::uint64_t gather(std::span<const std::uint64_t> words, std::uint64_t from, std::size_t count) {
  const std::uint64_t* first = words.data();
  const std::uint64_t mask = walked_lines(words.size()) - 1;
  std::uint64_t wanted_lines[kAhead];
  std::uint64_t line = from;
  for (std::uint64_t& ahead : wanted_lines) {
    ahead = line;
    __builtin_prefetch(first + line * kLineWords);
    line = next_in_gather(line, mask);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t& ahead = wanted_lines[i % kAhead];
    sum += first[ahead * kLineWords];
    ahead = line;
    __builtin_prefetch(first + line * kLineWords);
    line = next_in_gather(line, mask);
  }
  return sum;
}

std::uint64_t gather_expected(std::size_t lines, std::uint64_t from, std::size_t count) {
  std::uint64_t sum = 0;
  std::uint64_t line = from;
  for (std::size_t i = 0; i < count; ++i) {
    sum += next_in_chase(line, lines - 1);
    line = next_in_gather(line, lines - 1);
  }
  return sum;
}

}  // namespace hdbench::bench

#include "bench/machine/disk_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "bench/base/layers.h"
#include "bench/base/statistics.h"
#include "engine/base/bytes.h"
#include "engine/base/file_handle.h"
#include "engine/kernel/stream.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/scratch_file.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kProbeBlockBytes = kMiB;
constexpr std::size_t kPageBytes = 4096;
// Of the file's pages, touched in random places: few, so that what the kernel reads around one of
// them is not taken for another.
constexpr std::size_t kRandomShare = 64;
constexpr std::size_t kLatencyReads = 200;
// A pass in order goes on, on a disk as slow as this, for so many of the kernel's read-ahead
// windows of each thread, or so long.
constexpr std::size_t kWindowsAThread = 16;
constexpr double kSlowestBytesPerS = 100e6;
constexpr double kSecondsMax = 3;

constexpr std::size_t kSmallFilesMax = 64;

// What every word of a block holds.
std::uint64_t word_of_block(std::size_t block) { return (block + 1) * 0x9e3779b97f4a7c15u; }

Error disk_error(std::string_view what, int number) {
  return data_error(fmt::format("{}: {}", what, std::generic_category().message(number)));
}

// Reads through mappings and checks what it reads; writes past the page cache. Rates are in GB/s.
class DiskProbe {
 public:
  DiskProbe(ScratchRegion scratch, FileHandle direct, std::size_t read_around_bytes)
      : read_around_bytes_(read_around_bytes),
        scratch_(std::move(scratch)),
        direct_(std::move(direct)),
        blocks_(scratch_.region.bytes.size() / kProbeBlockBytes) {}

  // All of the file, which everything else reads.
  Status fill() {
    HDB_TRY(write(1, kNoEnd));
    blocks_ = std::min(blocks_, written_.load());
    return ok_status();
  }

  // For at most so long; blocks in order, each thread the next one.
  Result<double> write(std::size_t threads, double seconds) {
    HDB_ASSIGN(const Region room,
               map_huge_memory(std::max(threads, std::size_t{2}) * kProbeBlockBytes));
    return pass(threads, seconds, blocks_, kProbeBlockBytes,
                [&](std::size_t block, std::size_t thread) {
                  std::byte* from = room.bytes.data() + thread * kProbeBlockBytes;
                  stream_fill({reinterpret_cast<std::uint64_t*>(from), kProbeBlockBytes / 8},
                              word_of_block(block), StoreKind::kNormal);
                  const ssize_t put = ::pwrite(direct_.descriptor(), from, kProbeBlockBytes,
                                               static_cast<off_t>(block * kProbeBlockBytes));
                  if (put != static_cast<ssize_t>(kProbeBlockBytes))
                    return put < 0 ? errno : ENOSPC;
                  written_.fetch_add(1);
                  return 0;
                });
  }

  // Each thread its own stretch of the file, front to back, through a mapping.
  Result<double> read_in_order(std::size_t threads, double seconds) {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped, map_cold(scratch_));
    const std::size_t stretch = blocks_ / threads;
    std::vector<std::size_t> next(threads * 8, 0);  // a cache line each
    // What is in flight when a pass ends was read for nothing: little of what it read at all.
    const double enough = static_cast<double>(threads * kWindowsAThread) *
                          static_cast<double>(std::max(read_around_bytes_, kProbeBlockBytes));
    const double slowest = std::min(enough / kSlowestBytesPerS, kSecondsMax);
    return pass(threads, std::max(seconds, slowest), SIZE_MAX, kProbeBlockBytes,
                [&](std::size_t, std::size_t thread) {
                  if (next[thread * 8] == stretch) return kThreadIsDone;
                  const std::size_t block = thread * stretch + next[thread * 8]++;
                  return check(mapped->bytes().subspan(block * kProbeBlockBytes, kProbeBlockBytes),
                               block);
                });
  }

  // A page at a time, through a mapping; what the kernel reads around it is the mapping's cost.
  Result<double> read_pages(std::size_t threads, double seconds) {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped, map_cold(scratch_));
    std::vector<std::size_t> pages = random_pages();
    pages.resize(std::max(pages.size() / kRandomShare, threads));
    return pass(threads, seconds, pages.size(), kPageBytes, [&](std::size_t k, std::size_t) {
      return check(mapped->bytes().subspan(pages[k] * kPageBytes, 8),
                   pages[k] * kPageBytes / kProbeBlockBytes);
    });
  }

  // Small files through mappings, one after another, so many at a time: as a query reads a column
  // of a partition after the other. After the disk had nothing to do for so long: so it meets a
  // bucket that its bytes do not empty.
  Result<double> read_small_files(std::span<const ScratchRegion> files, std::size_t threads,
                                  double idle_seconds) {
    std::vector<std::unique_ptr<MappedMemory>> mapped;
    for (const ScratchRegion& file : files) {
      HDB_ASSIGN(std::unique_ptr<MappedMemory> one, map_cold(file));
      mapped.push_back(std::move(one));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
    return pass(threads, kNoEnd, mapped.size(), files.front().region.bytes.size(),
                [&](std::size_t k, std::size_t) { return check(mapped[k]->bytes(), k); });
  }

  // Nanoseconds: one page, one at a time, past the page cache.
  Result<double> latency(double seconds) {
    std::vector<std::size_t> pages = random_pages();
    pages.resize(std::min(pages.size(), kLatencyReads));
    HDB_ASSIGN(const std::vector<double> times, read_one_by_one(pages, kPageBytes, seconds));
    return median(times) * 1e9;
  }

  // Reads in order past the page cache, after the disk had nothing to do: seconds each. Not through
  // a mapping: a fault's window may be larger than a bucket.
  Result<std::vector<double>> reads_after_idle(double idle_seconds, double seconds) {
    std::vector<std::size_t> blocks(blocks_);
    std::iota(blocks.begin(), blocks.end(), std::size_t{0});
    std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
    return read_one_by_one(blocks, kProbeBlockBytes, seconds);
  }

 private:
  static constexpr int kThreadIsDone = -1;
  static constexpr double kNoEnd = 3600;  // seconds: until the items are done

  // Other places every time.
  std::vector<std::size_t> random_pages() {
    std::vector<std::size_t> pages(blocks_ * (kProbeBlockBytes / kPageBytes));
    std::iota(pages.begin(), pages.end(), std::size_t{0});
    std::shuffle(pages.begin(), pages.end(), random_);
    return pages;
  }

  static Result<std::unique_ptr<MappedMemory>> map(const ScratchRegion& file) {
    const std::size_t bytes = file.region.bytes.size();
    void* address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.descriptor, 0);
    if (address == MAP_FAILED) return disk_error("mmap", errno);
    return std::make_unique<MappedMemory>(address, bytes);
  }

  static Result<std::unique_ptr<MappedMemory>> map_cold(const ScratchRegion& file) {
    ::madvise(file.region.bytes.data(), file.region.bytes.size(), MADV_DONTNEED);
    ::fdatasync(file.descriptor);
    ::posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED);
    return map(file);
  }

  // 0 where every word is word_of_block(block).
  static int check(std::span<const std::byte> bytes, std::size_t block) {
    const std::span words(reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / 8);
    return stream_sum(words, StreamOrder::kLinear) == word_of_block(block) * words.size() ? 0
                                                                                          : EILSEQ;
  }

  // Seconds each, past the page cache: units of the file, until all are read or, after a few, the
  // time is over.
  Result<std::vector<double>> read_one_by_one(std::span<const std::size_t> units,
                                              std::size_t unit_bytes, double seconds) {
    HDB_ASSIGN(const Region room, map_huge_memory(kHugePageBytes));
    std::vector<double> times;
    const auto begin = Clock::now();
    for (const std::size_t unit : units) {
      if (times.size() > 4 && seconds_since(begin) > seconds) break;
      const auto start = Clock::now();
      const ssize_t got = ::pread(direct_.descriptor(), room.bytes.data(), unit_bytes,
                                  static_cast<off_t>(unit * unit_bytes));
      if (got != static_cast<ssize_t>(unit_bytes)) return disk_error("a read", errno);
      times.push_back(seconds_since(start));
    }
    return times;
  }

  // The rate of items for which work(item, thread) gave 0, which it does as long as it goes well.
  // Each thread does one at least, however late it was started: no rate is 0.
  template <typename Work>
  Result<double> pass(std::size_t threads, double seconds, std::size_t items,
                      std::size_t item_bytes, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::atomic<int> failed{0};
    const auto begin = Clock::now();
    {
      std::vector<std::jthread> team;
      for (std::size_t t = 0; t < threads; ++t) {
        team.emplace_back([&, t] {
          while (failed.load() == 0) {
            const std::size_t item = next.fetch_add(1);
            if (item >= items) return;
            const int error = work(item, t);
            if (error == kThreadIsDone) return;
            if (error != 0) return failed.store(error);
            done.fetch_add(1);
            if (seconds_since(begin) >= seconds) return;
          }
        });
      }
    }
    const double took = seconds_since(begin);
    if (failed.load() == EILSEQ)
      return data_error("the scratch file gave other bytes than written");
    if (failed.load() != 0) return disk_error("the scratch file", failed.load());
    return static_cast<double>(done.load() * item_bytes) / took / 1e9;
  }

  std::size_t read_around_bytes_;
  ScratchRegion scratch_;
  FileHandle direct_;
  std::size_t blocks_;
  std::atomic<std::size_t> written_{0};
  std::mt19937_64 random_{1};
};

Result<FileHandle> reopen_direct(int descriptor) {
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  FileHandle handle(::open(path.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  if (!handle.is_open()) return disk_error("O_DIRECT", errno);
  return handle;
}

using OnProbeStep = std::function<bool(std::size_t, std::size_t)>;
struct Figure {
  std::function<Result<double>(std::size_t threads)> pass;
  std::vector<ProbedPoint>& points;
};

// 1, 2, 4, ... to the most.
std::vector<std::size_t> probed_thread_counts(std::size_t most) {
  std::vector<std::size_t> threads;
  for (std::size_t t = 1; t <= most; t *= 2) threads.push_back(t);
  return threads;
}

// All passes in each round, so that drift affects all alike; a figure is the median over the
// rounds.
Status run_passes(const std::vector<Figure>& figures, const std::vector<std::size_t>& threads,
                  const DiskProbeOptions& options, const OnProbeStep& on_step) {
  std::vector<std::vector<double>> samples(figures.size() * threads.size());
  const std::size_t total = samples.size() * options.rounds;
  for (std::size_t done = 0; done < total; ++done) {
    const std::size_t s = done % samples.size();
    HDB_ASSIGN(const double gb_s, figures[s / threads.size()].pass(threads[s % threads.size()]));
    samples[s].push_back(gb_s);
    if (!on_step(done + 1, total)) return usage_error("interrupted");
  }
  for (std::size_t s = 0; s < samples.size(); ++s)
    figures[s / threads.size()].points.push_back({threads[s % threads.size()], median(samples[s])});
  return ok_status();
}

// As many files as are about so many bytes together.
Result<std::vector<ScratchRegion>> small_files(const std::filesystem::path& directory,
                                               std::size_t file_bytes, double bytes) {
  const auto count = static_cast<std::size_t>(bytes / static_cast<double>(file_bytes));
  std::vector<ScratchRegion> files;
  for (std::size_t k = 0; k < std::clamp(count, std::size_t{1}, kSmallFilesMax); ++k) {
    HDB_ASSIGN(ScratchRegion file, make_scratch_region(directory, file_bytes));
    stream_fill({reinterpret_cast<std::uint64_t*>(file.region.bytes.data()), file_bytes / 8},
                word_of_block(k), StoreKind::kNormal);
    files.push_back(std::move(file));
  }
  return files;
}

// Found more often than once, or not there (the machine's other work hides it at times): the one
// with the median size.
Status find_burst(DiskProbe& probe, const DiskProbeOptions& options, ProbedDevice& device) {
  std::vector<ProbedBurst> found;
  for (std::size_t round = 0; round < 2 * options.rounds; ++round) {
    HDB_ASSIGN(const std::vector<double> times,
               probe.reads_after_idle(options.idle_seconds, options.burst_seconds));
    if (const auto burst = fit_burst(times, kProbeBlockBytes)) found.push_back(*burst);
  }
  if (found.size() < 2) return ok_status();
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end(),
                   [](const ProbedBurst& a, const ProbedBurst& b) { return a.bytes < b.bytes; });
  device.burst = *middle;
  return ok_status();
}

// What reading one file after another gives, by size. A pass ends with its files. Where there is a
// bucket, a pass takes half of it after the disk had nothing to do: so it meets the burst, which
// the bucket holds down to the steady rate.
Status probe_small_files(DiskProbe& probe, const DiskProbeOptions& options,
                         const std::filesystem::path& directory, ProbedDevice& device,
                         const OnProbeStep& on_step) {
  constexpr std::size_t kFilesAThread = 4;
  constexpr double kAsAStream = 0.95;
  const std::vector<std::size_t> threads = probed_thread_counts(options.threads_max);
  const double stream_gb_s =
      device.burst ? device.burst->gb_s : device.sequential_read.front().gb_s;
  const double idle_seconds = device.burst ? options.idle_seconds : 0;
  const auto all_threads = static_cast<double>(threads.back() * kFilesAThread);
  for (const std::size_t bytes : kSmallFileBytes) {
    // For every thread some files, unless that takes too long or too much space.
    const auto size = static_cast<double>(bytes);
    const double most =
        std::min(stream_gb_s * 1e9 * kSecondsMax, static_cast<double>(options.file_bytes));
    const double in_a_pass =
        device.burst
            ? device.burst->bytes / 2
            : std::min(std::max(stream_gb_s * 1e9 * options.pass_seconds, all_threads * size),
                       most);
    if (size > in_a_pass && !device.small_files.empty()) break;
    HDB_ASSIGN(const std::vector<ScratchRegion> files, small_files(directory, bytes, in_a_pass));
    // More threads than files would not read at once.
    std::vector<std::size_t> counts = threads;
    while (counts.size() > 1 && counts.back() > files.size()) counts.pop_back();
    const auto read = [&](std::size_t n) { return probe.read_small_files(files, n, idle_seconds); };
    ProbedFiles& probed = device.small_files.emplace_back();
    probed.bytes = bytes;
    HDB_TRY(run_passes({{read, probed.points}}, counts, options,
                       [&](std::size_t, std::size_t) { return on_step(1, 1); }));
    if (probed.points.front().gb_s >= kAsAStream * stream_gb_s) break;
  }
  return ok_status();
}

// The first reads run at the disk's own rate.
constexpr std::size_t kFastReads = 4;
constexpr double kStalled = 3;    // times as slow as those
constexpr double kLimited = 1.5;  // all of them together: otherwise nothing holds the disk back
constexpr std::size_t kStallsMin = 5;
constexpr double kIrregular = 0.15;  // of the median, by half of the intervals
constexpr double kGbBytes = 1e9;

struct Stalls {
  std::vector<std::size_t> reads;  // which they are
  std::vector<double> ends;        // seconds from the first read's begin
};

Stalls find_stalls(std::span<const double> seconds, double fast) {
  Stalls stalls;
  double now = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    now += seconds[i];
    if (seconds[i] <= kStalled * fast) continue;
    stalls.reads.push_back(i);
    stalls.ends.push_back(now);
  }
  return stalls;
}

bool are_regular(const std::vector<double>& intervals) {
  const double middle = median(intervals);
  std::vector<double> off;
  for (const double interval : intervals) off.push_back(std::abs(interval - middle));
  return median(off) <= kIrregular * middle;
}

}  // namespace

std::optional<ProbedBurst> fit_burst(std::span<const double> seconds, double read_bytes) {
  if (seconds.size() < 2 * kFastReads) return std::nullopt;
  const double fast = median(seconds.first(kFastReads));
  const Stalls stalls = find_stalls(seconds, fast);
  if (stalls.reads.size() < kStallsMin || stalls.reads.front() < kFastReads / 2)
    return std::nullopt;
  double all = 0;
  for (const double read : seconds) all += read;
  if (all < kLimited * fast * static_cast<double>(seconds.size())) return std::nullopt;

  std::vector<double> intervals;
  for (std::size_t k = 1; k < stalls.ends.size(); ++k)
    intervals.push_back(stalls.ends[k] - stalls.ends[k - 1]);
  if (!are_regular(intervals)) return std::nullopt;
  const auto reads = static_cast<double>(stalls.reads.back() - stalls.reads.front());
  const double span = stalls.ends.back() - stalls.ends.front();
  const double per_second = reads * read_bytes / span;

  ProbedBurst burst;
  burst.gb_s = read_bytes / fast / kGbBytes;
  burst.refill_gb_s = per_second / kGbBytes;
  // Between two steps whole reads pass; evenly refilled, every read waits.
  burst.in_steps = reads >= 2 * static_cast<double>(intervals.size());
  if (burst.in_steps) {
    burst.bytes = reads * read_bytes / static_cast<double>(intervals.size());
  } else {
    // While the first reads took the bucket's bytes, it was refilled.
    const double passed = static_cast<double>(stalls.reads.front()) * read_bytes;
    burst.bytes = passed * (1 - burst.refill_gb_s / burst.gb_s);
  }
  return burst;
}

Result<ProbedDevice> probe_disk(const std::filesystem::path& directory,
                                const DiskProbeOptions& options, const OnProbeStep& on_step) {
  ProbedDevice device;
  device.is_block = true;
  device.granularity_bytes = kPageBytes;
  const auto mount = mount_of(read_mounts({}), directory);
  device.place = mount ? describe(*mount) : "unknown";
  if (mount && mount->kind == MountKind::kMemory) {
    return data_error(fmt::format("{}: {} is memory, not a disk; expected a directory on a disk",
                                  directory.string(), device.place));
  }
  if (mount && !mount->block_device.empty()) {
    if (const auto disk = read_block_device("/sys", mount->block_device))
      device.read_around_bytes = disk->readahead_bytes.value_or(0);
  }
  HDB_ASSIGN(
      ScratchRegion scratch,
      make_scratch_region(directory, options.file_bytes / kProbeBlockBytes * kProbeBlockBytes));
  HDB_ASSIGN(FileHandle direct, reopen_direct(scratch.descriptor));
  DiskProbe probe(std::move(scratch), std::move(direct), device.read_around_bytes);
  HDB_TRY(probe.fill());
  const double seconds = options.pass_seconds;
  HDB_TRY(run_passes(
      {{[&](std::size_t n) { return probe.read_in_order(n, seconds); }, device.sequential_read},
       {[&](std::size_t n) { return probe.read_pages(n, seconds); }, device.random_read},
       {[&](std::size_t n) { return probe.write(n, seconds); }, device.sequential_write}},
      probed_thread_counts(options.threads_max), options, on_step));
  HDB_ASSIGN(device.read_ns, probe.latency(seconds));
  HDB_TRY(find_burst(probe, options, device));
  HDB_TRY(probe_small_files(probe, options, directory, device, on_step));
  return device;
}

}  // namespace hdbench::bench

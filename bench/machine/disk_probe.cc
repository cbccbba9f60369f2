#include "bench/machine/disk_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <numeric>
#include <random>
#include <span>
#include <system_error>
#include <thread>

#include "bench/base/statistics.h"
#include "engine/base/file_handle.h"
#include "engine/base/units.h"
#include "engine/kernel/stream.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/machine/block_device.h"
#include "pmem/machine/mount.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/scratch_file.h"

namespace hdbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlockBytes = kMiB;
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

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What every word of a block holds.
std::uint64_t word_of(std::size_t block) { return (block + 1) * 0x9e3779b97f4a7c15u; }

Error disk_error(std::string_view what, int number) {
  return data_error(fmt::format("{}: {}", what, std::generic_category().message(number)));
}

Error wrong_bytes() { return data_error("the scratch file gave other bytes than written"); }

class DiskProbe {
 public:
  DiskProbe(ScratchRegion scratch, FileHandle direct, std::size_t read_around_bytes)
      : read_around_bytes_(read_around_bytes),
        scratch_(std::move(scratch)),
        direct_(std::move(direct)),
        blocks_(scratch_.region.bytes.size() / kBlockBytes) {}

  // Writes all of the file; GB/s. Everything else reads what this wrote.
  Result<double> fill() {
    HDB_ASSIGN(const double gb_s, write(1, 3600));
    blocks_ = std::min(blocks_, written_.load());
    return gb_s;
  }

  // For at most so long; blocks in order, each thread the next one.
  Result<double> write(std::size_t threads, double seconds) {
    HDB_ASSIGN(const Region room, map_huge_memory(std::max(threads, std::size_t{2}) * kBlockBytes));
    const std::size_t blocks = blocks_;
    return pass(threads, seconds, blocks, [&](std::size_t block, std::size_t thread) -> int {
      std::byte* from = room.bytes.data() + thread * kBlockBytes;
      stream_fill({reinterpret_cast<std::uint64_t*>(from), kBlockBytes / 8}, word_of(block),
                  StoreKind::kNormal);
      const ssize_t put = ::pwrite(direct_.descriptor(), from, kBlockBytes, offset_of(block));
      if (put != static_cast<ssize_t>(kBlockBytes)) return put < 0 ? errno : ENOSPC;
      written_.fetch_add(1);
      return 0;
    });
  }

  // Each thread its own stretch of the file, front to back, through a mapping.
  Result<double> read_in_order(std::size_t threads, double seconds) {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped, map_cold());
    const std::size_t stretch = blocks_ / threads;
    std::vector<std::size_t> next(threads * 8, 0);  // a cache line each
    // What is in flight when a pass ends was read for nothing: little of what it read at all.
    const double enough = static_cast<double>(threads * kWindowsAThread) *
                          static_cast<double>(std::max(read_around_bytes_, kBlockBytes));
    const double slowest = std::min(enough / kSlowestBytesPerS, kSecondsMax);
    return pass(
        threads, std::max(seconds, slowest), SIZE_MAX, [&](std::size_t, std::size_t thread) -> int {
          if (next[thread * 8] == stretch) return kThreadIsDone;
          const std::size_t block = thread * stretch + next[thread * 8]++;
          const std::byte* at = mapped->bytes().data() + block * kBlockBytes;
          const std::uint64_t sum = stream_sum(
              {reinterpret_cast<const std::uint64_t*>(at), kBlockBytes / 8}, StreamOrder::kLinear);
          return sum == word_of(block) * (kBlockBytes / 8) ? 0 : EILSEQ;
        });
  }

  // A page at a time, through a mapping; what the kernel reads around it is the mapping's cost.
  Result<double> read_pages(std::size_t threads, double seconds) {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped, map_cold());
    std::vector<std::size_t> pages = random_pages();
    pages.resize(std::max(pages.size() / kRandomShare, threads));
    const auto read = [&](std::size_t k, std::size_t) -> int {
      const std::byte* at = mapped->bytes().data() + pages[k] * kPageBytes;
      return *reinterpret_cast<const std::uint64_t*>(at) ==
                     word_of(pages[k] * kPageBytes / kBlockBytes)
                 ? 0
                 : EILSEQ;
    };
    HDB_ASSIGN(const double gb_s, pass(threads, seconds, pages.size(), read));
    return gb_s * kPageBytes / kBlockBytes;
  }

  // Nanoseconds: one page, one at a time, past the page cache.
  Result<double> latency(double seconds) {
    HDB_ASSIGN(const Region room, map_huge_memory(kHugePageBytes));
    std::vector<double> times;
    const auto begin = Clock::now();
    for (const std::size_t page : random_pages()) {
      if (times.size() == kLatencyReads || (times.size() > 4 && seconds_since(begin) > seconds))
        break;
      const auto start = Clock::now();
      const ssize_t got = ::pread(direct_.descriptor(), room.bytes.data(), kPageBytes,
                                  static_cast<off_t>(page * kPageBytes));
      if (got != static_cast<ssize_t>(kPageBytes)) return disk_error("a read", errno);
      times.push_back(seconds_since(start) * 1e9);
    }
    return median(times);
  }

  // Reads in order past the page cache, after the disk had nothing to do: seconds each. Not through
  // a mapping: a fault's window may be larger than a bucket.
  Result<std::vector<double>> reads_after_idle(double idle_seconds, double seconds) {
    HDB_ASSIGN(const Region room, map_huge_memory(kHugePageBytes));
    std::vector<double> times;
    std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
    const auto begin = Clock::now();
    for (std::size_t block = 0; block < blocks_ && seconds_since(begin) < seconds; ++block) {
      const auto start = Clock::now();
      const ssize_t got =
          ::pread(direct_.descriptor(), room.bytes.data(), kBlockBytes, offset_of(block));
      if (got != static_cast<ssize_t>(kBlockBytes)) return disk_error("a read", errno);
      times.push_back(seconds_since(start));
    }
    return times;
  }

  // Small files through mappings, one after another, so many at a time: as a query reads a column
  // of a partition after the other. After the disk had nothing to do for so long: so it meets a
  // bucket that its bytes do not empty. GB/s.
  Result<double> read_small_files(std::span<const ScratchRegion> files, std::size_t threads,
                                  double idle_seconds) {
    std::vector<std::unique_ptr<MappedMemory>> mapped;
    for (const ScratchRegion& file : files) {
      HDB_ASSIGN(std::unique_ptr<MappedMemory> one, map_cold(file, kSmallFileBytes));
      mapped.push_back(std::move(one));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(idle_seconds));
    const auto read = [&](std::size_t k, std::size_t) -> int {
      const auto* const words = reinterpret_cast<const std::uint64_t*>(mapped[k]->bytes().data());
      const std::uint64_t sum = stream_sum({words, kSmallFileBytes / 8}, StreamOrder::kLinear);
      return sum == word_of(k) * (kSmallFileBytes / 8) ? 0 : EILSEQ;
    };
    HDB_ASSIGN(const double gb_s, pass(threads, kNoEnd, mapped.size(), read));
    return gb_s * kSmallFileBytes / kBlockBytes;
  }

  // Milliseconds a GiB, of pages that are in memory.
  Status map_times(ProbedDevice& device) {
    std::vector<double> maps;
    std::vector<double> unmaps;
    const double gib = static_cast<double>(blocks_ * kBlockBytes) / (std::size_t{1} << 30);
    for (int k = 0; k < 5; ++k) {
      const auto begin = Clock::now();
      HDB_ASSIGN(std::unique_ptr<MappedMemory> mapped, map());
      maps.push_back(seconds_since(begin) * 1e3 / gib);
      for (std::size_t at = 0; at < mapped->bytes().size(); at += kPageBytes)
        sink_ = sink_ + static_cast<std::uint64_t>(mapped->bytes()[at]);
      const auto end = Clock::now();
      mapped.reset();
      unmaps.push_back(seconds_since(end) * 1e3 / gib);
    }
    device.map_ms = median(maps);
    device.unmap_ms = median(unmaps);
    return ok_status();
  }

 private:
  static constexpr int kThreadIsDone = -1;
  static constexpr double kNoEnd = 3600;  // seconds: until the items are done

  static off_t offset_of(std::size_t block) { return static_cast<off_t>(block * kBlockBytes); }

  // Other places every time.
  std::vector<std::size_t> random_pages() {
    std::vector<std::size_t> pages(blocks_ * (kBlockBytes / kPageBytes));
    std::iota(pages.begin(), pages.end(), std::size_t{0});
    std::shuffle(pages.begin(), pages.end(), random_);
    return pages;
  }

  Result<std::unique_ptr<MappedMemory>> map() { return map(scratch_, blocks_ * kBlockBytes); }
  Result<std::unique_ptr<MappedMemory>> map_cold() {
    return map_cold(scratch_, blocks_ * kBlockBytes);
  }

  static Result<std::unique_ptr<MappedMemory>> map(const ScratchRegion& file, std::size_t bytes) {
    void* address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.descriptor, 0);
    if (address == MAP_FAILED) return disk_error("mmap", errno);
    return std::make_unique<MappedMemory>(address, bytes);
  }

  static Result<std::unique_ptr<MappedMemory>> map_cold(const ScratchRegion& file,
                                                        std::size_t bytes) {
    ::madvise(file.region.bytes.data(), file.region.bytes.size(), MADV_DONTNEED);
    ::fdatasync(file.descriptor);
    ::posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED);
    return map(file, bytes);
  }

  // GB/s of all blocks that work(k, thread) was done for: 0 as long as it goes well.
  template <typename Work>
  Result<double> pass(std::size_t threads, double seconds, std::size_t items, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::atomic<int> failed{0};
    const auto begin = Clock::now();
    {
      std::vector<std::jthread> team;
      for (std::size_t t = 0; t < threads; ++t) {
        team.emplace_back([&, t] {
          while (seconds_since(begin) < seconds && failed.load() == 0) {
            const std::size_t item = next.fetch_add(1);
            if (item >= items) return;
            const int error = work(item, t);
            if (error == kThreadIsDone) return;
            if (error != 0) return failed.store(error);
            done.fetch_add(1);
          }
        });
      }
    }
    const double took = seconds_since(begin);
    if (failed.load() == EILSEQ) return wrong_bytes();
    if (failed.load() != 0) return disk_error("the scratch file", failed.load());
    return static_cast<double>(done.load() * kBlockBytes) / took / 1e9;
  }

  std::size_t read_around_bytes_;
  ScratchRegion scratch_;
  FileHandle direct_;
  std::size_t blocks_;
  std::atomic<std::size_t> written_{0};
  std::mt19937_64 random_{1};
  volatile std::uint64_t sink_ = 0;
};

Result<FileHandle> open_direct(int descriptor) {
  const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  FileHandle handle(::open(path.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC));
  if (!handle.is_open()) return disk_error("O_DIRECT", errno);
  return handle;
}

using Pass = Result<double> (DiskProbe::*)(std::size_t, double);
struct Figure {
  Pass pass;
  std::vector<ProbedPoint>& points;
};

Status run_passes(DiskProbe& probe, const DiskProbeOptions& options, ProbedDevice& device,
                  const std::function<bool(std::size_t, std::size_t)>& on_step) {
  std::vector<std::size_t> threads;
  for (std::size_t t = 1; t <= options.threads_max; t *= 2) threads.push_back(t);
  const Figure figures[] = {{&DiskProbe::read_in_order, device.sequential_read},
                            {&DiskProbe::read_pages, device.random_read},
                            {&DiskProbe::write, device.sequential_write}};
  std::vector<std::vector<double>> samples(std::size(figures) * threads.size());
  const std::size_t total = samples.size() * options.rounds;
  std::size_t done = 0;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const Figure& figure = figures[s / threads.size()];
      HDB_ASSIGN(const double gb_s,
                 (probe.*figure.pass)(threads[s % threads.size()], options.pass_seconds));
      samples[s].push_back(gb_s);
      if (!on_step(++done, total)) return usage_error("interrupted");
    }
  }
  for (std::size_t s = 0; s < samples.size(); ++s) {
    figures[s / threads.size()].points.push_back({threads[s % threads.size()], median(samples[s])});
  }
  return ok_status();
}

// As many of them as are about so many bytes.
Result<std::vector<ScratchRegion>> small_files(const std::filesystem::path& directory,
                                               double bytes) {
  const auto count = static_cast<std::size_t>(bytes / kSmallFileBytes);
  std::vector<ScratchRegion> files;
  for (std::size_t k = 0; k < std::clamp(count, std::size_t{1}, kSmallFilesMax); ++k) {
    HDB_ASSIGN(ScratchRegion file, make_scratch_region(directory, kSmallFileBytes));
    stream_fill({reinterpret_cast<std::uint64_t*>(file.region.bytes.data()), kSmallFileBytes / 8},
                word_of(k), StoreKind::kNormal);
    files.push_back(std::move(file));
  }
  return files;
}

// Found more often than once, or not there (the machine's other work hides it at times): the one
// with the median size. Its rate is what queries get of it, if that is less than the disk gives.
Status find_burst(DiskProbe& probe, const DiskProbeOptions& options,
                  const std::filesystem::path& directory, ProbedDevice& device) {
  std::vector<ProbedBurst> found;
  for (std::size_t round = 0; round < 2 * options.rounds; ++round) {
    HDB_ASSIGN(const std::vector<double> times,
               probe.reads_after_idle(options.idle_seconds, options.burst_seconds));
    if (const auto burst = fit_burst(times, kBlockBytes)) found.push_back(*burst);
  }
  if (found.size() < 2) return ok_status();
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::nth_element(found.begin(), middle, found.end(),
                   [](const ProbedBurst& a, const ProbedBurst& b) { return a.bytes < b.bytes; });
  device.burst = *middle;
  HDB_ASSIGN(const std::vector<ScratchRegion> files,
             small_files(directory, device.burst->bytes / 2));
  std::vector<double> rates;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    HDB_ASSIGN(const double gb_s, probe.read_small_files(files, 1, options.idle_seconds));
    rates.push_back(gb_s);
  }
  const double gb_s = median(rates);
  if (gb_s > device.burst->refill_gb_s) device.burst->gb_s = std::min(device.burst->gb_s, gb_s);
  return ok_status();
}

// What reading one file after another gives, where no bucket says it. A pass ends with its files.
Status probe_small_files(DiskProbe& probe, const DiskProbeOptions& options,
                         const std::filesystem::path& directory, ProbedDevice& device,
                         const std::function<bool(std::size_t, std::size_t)>& on_step) {
  if (device.burst) return ok_status();
  constexpr std::size_t kFilesAThread = 4;
  const std::size_t most_threads = device.sequential_read.back().threads;
  const double in_a_pass = device.sequential_read.front().gb_s * 1e9 * options.pass_seconds;
  const auto least = static_cast<double>(most_threads * kFilesAThread * kSmallFileBytes);
  HDB_ASSIGN(const std::vector<ScratchRegion> files,
             small_files(directory, std::max(in_a_pass, least)));
  std::vector<std::vector<double>> rates(device.sequential_read.size());
  for (std::size_t round = 0; round < options.rounds; ++round) {
    for (std::size_t k = 0; k < rates.size(); ++k) {
      HDB_ASSIGN(const double gb_s,
                 probe.read_small_files(files, device.sequential_read[k].threads, 0));
      rates[k].push_back(gb_s);
      if (!on_step(1, 1)) return usage_error("interrupted");
    }
  }
  for (std::size_t k = 0; k < rates.size(); ++k)
    device.small_files.push_back({device.sequential_read[k].threads, median(rates[k])});
  return ok_status();
}

}  // namespace

Result<ProbedDevice> probe_disk(const std::filesystem::path& directory,
                                const DiskProbeOptions& options,
                                const std::function<bool(std::size_t, std::size_t)>& on_step) {
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
  HDB_ASSIGN(ScratchRegion scratch,
             make_scratch_region(directory, options.file_bytes / kBlockBytes * kBlockBytes));
  HDB_ASSIGN(FileHandle direct, open_direct(scratch.descriptor));
  DiskProbe probe(std::move(scratch), std::move(direct), device.read_around_bytes);
  HDB_TRY(probe.fill());
  HDB_TRY(run_passes(probe, options, device, on_step));
  HDB_ASSIGN(device.read_ns, probe.latency(options.pass_seconds));
  HDB_TRY(find_burst(probe, options, directory, device));
  HDB_TRY(probe_small_files(probe, options, directory, device, on_step));
  HDB_TRY(probe.map_times(device));
  return device;
}

}  // namespace hdbench

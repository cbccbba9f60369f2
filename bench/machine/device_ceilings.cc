#include "bench/machine/device_ceilings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <random>
#include <span>
#include <system_error>
#include <thread>

#include "bench/base/statistics.h"
#include "engine/base/bytes.h"
#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"
#include "engine/kernel/stream.h"
#include "pmem/base/free_room.h"
#include "pmem/machine/mount.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFilesMax = 512;
constexpr std::size_t kBytesMin = 16 * kMiB;  // less is over before the device has begun
constexpr std::size_t kSequentialBytesMax = 2048 * kMiB;
constexpr auto kSequentialTime = std::chrono::milliseconds(1000);
constexpr auto kRandomTime = std::chrono::milliseconds(500);
constexpr std::uint64_t kScratchBytes = 512 * kMiB;
constexpr auto kRoundTime = std::chrono::milliseconds(250);

struct DirectFile {
  FileHandle handle;
  std::size_t bytes = 0;
};

Result<DirectFile> open_direct(const std::filesystem::path& path) {
  DirectFile file{open_read_only(path, O_DIRECT), 0};
  if (!file.handle.is_open()) return file_error(path, "O_DIRECT", errno);
  std::error_code failed;
  file.bytes = std::filesystem::file_size(path, failed);
  ::posix_fadvise(file.handle.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  return file;
}

// At most kFilesMax of the files that have a whole block, spread evenly over all of them.
Result<std::vector<DirectFile>> open_files(const std::vector<std::filesystem::path>& paths,
                                           std::size_t block_bytes) {
  std::vector<std::filesystem::path> large;
  std::error_code failed;
  for (const auto& path : paths) {
    const auto bytes = std::filesystem::file_size(path, failed);
    if (!failed && bytes >= block_bytes) large.push_back(path);
  }
  const std::size_t count = std::min(large.size(), kFilesMax);
  std::vector<DirectFile> files;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    HDB_ASSIGN(DirectFile file, open_direct(large[i * large.size() / count]));
    bytes += file.bytes / block_bytes * block_bytes;
    files.push_back(std::move(file));
  }
  if (bytes < kBytesMin) {
    return data_error(
        fmt::format("its column files of 1 MiB and more hold {:.1f} MiB, {} are needed",
                    static_cast<double>(bytes) / kMiB, kBytesMin / kMiB));
  }
  return files;
}

// A block of an open file.
struct DeviceBlock {
  int descriptor = -1;
  std::uint64_t offset = 0;
};

// Reads the blocks with read.in_flight threads until all are read or the time is over, sums each
// after it was read where `sums` is set, and adds what it gave.
Status read_blocks(const std::vector<DeviceBlock>& blocks, Clock::duration time, bool sums,
                   DeviceRead& read) {
  // Huge pages: scattered ones cut a request into as many pieces, at half the speed.
  HDB_ASSIGN(const Region room,
             map_huge_memory(std::max(read.in_flight * read.block_bytes, kHugePageBytes)));
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> sum{0};
  std::atomic<int> failed{0};
  const auto begin = Clock::now();
  const auto work = [&](std::byte* target) {
    while (Clock::now() < begin + time && failed.load() == 0) {
      const std::size_t at = next.fetch_add(1);
      if (at >= blocks.size()) return;
      const ssize_t got = ::pread(blocks[at].descriptor, target, read.block_bytes,
                                  static_cast<off_t>(blocks[at].offset));
      if (got != static_cast<ssize_t>(read.block_bytes)) {
        failed.store(got < 0 ? errno : EIO);
        return;
      }
      bytes.fetch_add(read.block_bytes);
      if (sums) {
        const std::span words(reinterpret_cast<const std::uint64_t*>(target),
                              read.block_bytes / sizeof(std::uint64_t));
        sum.fetch_add(stream_sum(words, StreamOrder::kLinear));
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < read.in_flight; ++i)
      threads.emplace_back(work, room.bytes.data() + i * read.block_bytes);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (failed.load() != 0) {
    return data_error(
        fmt::format("O_DIRECT reads: {}", std::generic_category().message(failed.load())));
  }
  read.bytes += bytes.load();
  read.gb_s.push_back(static_cast<double>(bytes.load()) / seconds / 1e9);
  return ok_status();
}

std::vector<DeviceBlock> blocks_of(const std::vector<DirectFile>& files, std::size_t block_bytes) {
  std::vector<DeviceBlock> blocks;
  for (const DirectFile& file : files) {
    for (std::size_t offset = 0; offset + block_bytes <= file.bytes; offset += block_bytes)
      blocks.push_back({file.handle.descriptor(), offset});
  }
  return blocks;
}

Status measure(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& place,
               DeviceCeilings& ceilings) {
  if (paths.empty()) return data_error("the database has no column file");
  const auto mount = mount_of(read_mounts({}), place.empty() ? paths.front() : place);
  ceilings.device = mount ? describe(*mount) : "unknown";
  if (mount && mount->kind == MountKind::kMemory) {
    return data_error(ceilings.device + " is memory, not a disk");
  }
  HDB_ASSIGN(const std::vector<DirectFile> files,
             open_files(paths, ceilings.sequential.block_bytes));
  std::vector<DeviceBlock> large = blocks_of(files, ceilings.sequential.block_bytes);
  // What the first of the two has just read comes last in the other.
  std::vector<DeviceBlock> other = large;
  const auto most = static_cast<std::ptrdiff_t>(
      std::min(large.size() / 2, kSequentialBytesMax / ceilings.sequential.block_bytes));
  std::rotate(other.begin(), other.begin() + most, other.end());
  for (auto* const blocks : {&large, &other})
    blocks->resize(std::min(blocks->size(), kSequentialBytesMax / ceilings.sequential.block_bytes));
  std::vector<DeviceBlock> small = blocks_of(files, ceilings.random.block_bytes);
  // Other places every time: what was read before may sit in a cache below the kernel.
  std::mt19937_64 random(0x9e3779b97f4a7c15u + ceilings.random.gb_s.size());
  std::shuffle(small.begin(), small.end(), random);
  HDB_TRY(read_blocks(small, kRandomTime, false, ceilings.random));
  HDB_TRY(read_blocks(large, kSequentialTime, false, ceilings.sequential));
  return read_blocks(other, kSequentialTime, true, ceilings.summed);
}

Status measure_round(const std::vector<std::filesystem::path>& paths, std::size_t first,
                     DeviceRead& sequential) {
  HDB_ASSIGN(const std::vector<DirectFile> files, open_files(paths, sequential.block_bytes));
  std::vector<DeviceBlock> blocks = blocks_of(files, sequential.block_bytes);
  const auto done = static_cast<std::ptrdiff_t>(
      (first + sequential.bytes / sequential.block_bytes) % blocks.size());
  std::rotate(blocks.begin(), blocks.begin() + done, blocks.end());
  return read_blocks(blocks, kRoundTime, false, sequential);
}

Status measure_scratch(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings) {
  const std::atomic<bool> stop{false};
  HDB_TRY(check_outside_databases("scratch directory", scratch_dir));
  HDB_ASSIGN(const FileHandle file, filled_file(scratch_dir, kScratchBytes, stop));
  measure_device({fmt::format("/proc/self/fd/{}", file.descriptor())}, ceilings, scratch_dir);
  return ok_status();
}

constexpr std::size_t kStreamPieceBytes = std::size_t{4} << 20;

Status fill_scratch(const FileHandle& file, const std::filesystem::path& directory,
                    std::uint64_t bytes, const std::atomic<bool>& stop) {
  std::mt19937_64 random(0x9e3779b97f4a7c15u);
  HDB_ASSIGN(const Region room, map_huge_memory(kStreamPieceBytes));
  const std::span words(reinterpret_cast<std::uint64_t*>(room.bytes.data()), kStreamPieceBytes / 8);
  const int flags = fcntl(file.descriptor(), F_GETFL);
  (void)fcntl(file.descriptor(), F_SETFL, flags | O_DIRECT);
  for (std::uint64_t at = 0; at < bytes;) {
    if (stop.load()) return usage_error("interrupted");
    std::generate(words.begin(), words.end(), std::ref(random));
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(kStreamPieceBytes, bytes - at));
    const ssize_t done = pwrite(file.descriptor(), words.data(), piece, static_cast<off_t>(at));
    if (done <= 0) return file_error(directory, "cannot be filled", done == 0 ? ENOSPC : errno);
    at += static_cast<std::uint64_t>(done);
  }
  (void)fcntl(file.descriptor(), F_SETFL, flags);
  if (fsync(file.descriptor()) != 0) return file_error(directory, "cannot be synced", errno);
  return ok_status();
}

}  // namespace

CeilingFigure DeviceRead::figure() const {
  if (gb_s.empty()) return {};
  return {median(gb_s), quantile(gb_s, kCeilingQuantile), quantile(gb_s, 1)};
}

void measure_device(const std::vector<std::filesystem::path>& files, DeviceCeilings& ceilings,
                    const std::filesystem::path& place) {
  const Status status = measure(files, place, ceilings);
  if (!status.ok()) ceilings.reason = status.error().message;
}

void measure_device_round(const std::vector<std::filesystem::path>& files, std::size_t first,
                          DeviceRead& sequential) {
  (void)measure_round(files, first, sequential).ok();
}

bool is_other_device(const std::filesystem::path& scratch_dir,
                     const std::vector<std::filesystem::path>& column_files) {
  struct stat scratch = {};
  struct stat column = {};
  return !column_files.empty() && ::stat(scratch_dir.c_str(), &scratch) == 0 &&
         ::stat(column_files.front().c_str(), &column) == 0 && scratch.st_dev != column.st_dev;
}

void measure_scratch_device(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings) {
  const Status measured = measure_scratch(scratch_dir, ceilings);
  if (!measured.ok()) ceilings.reason = measured.error().message;
}

Result<FileHandle> filled_file(const std::filesystem::path& directory, std::uint64_t bytes,
                               const std::atomic<bool>& stop) {
  HDB_TRY(require_room_on_disk(directory, bytes));
  HDB_ASSIGN(FileHandle file, make_unnamed_file(directory));
  HDB_TRY(fill_scratch(file, directory, bytes, stop));
  return file;
}

}  // namespace hdbench::bench

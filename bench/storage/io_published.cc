#include "bench/storage/io_published.h"

#include <fmt/format.h>

namespace hdbench {
namespace {

// nano v1 on Optane App Direct (ext4-DAX) and on 24 NVMe drives in RAID 50, MiB/s.
struct Published {
  const char* test;
  const char* engine;
  std::uint64_t block_bytes;
  int nvme_1, nvme_36, pmem_1, pmem_36;
};

constexpr std::uint64_t kV1Large = 8 << 20;    // v1's "1 MB"
constexpr std::uint64_t kV1Small = 512 << 10;  // v1's "64 KB"

constexpr Published kNano[] = {
    {"write-sync", "write", 0, 1256, 5112, 1137, 2952},
    {"create-list", "memory", 0, 3297, 40284, 4059, 30240},
    {"walk-list", "mmap", 0, 2139, 9269, 3557, 28657},
    {"random-read", "mmap", kV1Large, 828, 12050, 1762, 24700},
    {"random-read", "mmap", kV1Small, 627, 8631, 1905, 36970},
    {"random-read", "mmap-per-read", kV1Large, 607, 10216, 1099, 14679},
    {"random-read", "mmap-per-read", kV1Small, 489, 6618, 1065, 8786},
};

// One drive of a node of one's own, and four of an instance; MB/s, all processes that it took.
struct Drives {
  const char* test;
  std::uint64_t block_bytes;
  int four, one;
};

constexpr Drives kDrives[] = {
    {"streaming-read", 0, 7006, 2624},
    {"random-read", kV1Large, 6422, 2750},
    {"random-read", kV1Small, 1493, 1182},
};

// Milliseconds: a drive of a node of one's own, and EBS volumes.
struct Calls {
  const char* test;
  double physical, gp2, io1, st1;
};

constexpr Calls kCalls[] = {
    {"open-close", 0.006, 0.004, 0.003, 0.003},
    {"append", 0.01, 0.006, 0.006, 0.04},
    {"hcount", 0.003, 0.002, 0.002, 0.002},
    {"read1-small", 0.022, 0.018, 0.017, 0.02},
};

}  // namespace

std::string published_of(const IoTest& test, std::size_t processes) {
  for (const Calls& one : kCalls) {
    if (test.test == one.test) {
      return fmt::format("NVMe {}, EBS gp2 {}, io1 {}, st1 {} ms", one.physical, one.gp2, one.io1,
                         one.st1);
    }
  }
  if (test.cache == "warm" || test.sync == "fdatasync") return "";
  std::string text;
  for (const Published& one : kNano) {
    if (test.test != one.test || test.engine != one.engine || test.block_bytes != one.block_bytes) {
      continue;
    }
    text = processes == 1
               ? fmt::format("NVMe x24 {}, PMem {} MiB/s (1)", one.nvme_1, one.pmem_1)
               : fmt::format("NVMe x24 {}, PMem {} MiB/s (36)", one.nvme_36, one.pmem_36);
  }
  for (const Drives& one : kDrives) {
    if (test.test != one.test || test.engine != "mmap" || test.block_bytes != one.block_bytes) {
      continue;
    }
    text += fmt::format("{}NVMe x4 {}, x1 {} MB/s", text.empty() ? "" : "; ", one.four, one.one);
  }
  return text;
}

}  // namespace hdbench

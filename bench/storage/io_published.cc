#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

// With one process and with more; an empty text represents the same.
struct Published {
  const char* test;
  const char* engine;
  std::uint64_t block_bytes;
  const char* one;
  const char* more;
};

constexpr std::uint64_t kV1Large = 8 << 20;    // v1's "1 MB"
constexpr std::uint64_t kV1Small = 512 << 10;  // v1's "64 KB"

// (1) and (36): threads of nano v1 on Optane App Direct (ext4-DAX) and on 24 NVMe drives in
// RAID 50. MB/s: one drive of a node of one's own, and four of an instance, all processes that it
// took. Milliseconds: a drive of a node of one's own, and EBS volumes.
constexpr Published kPublished[] = {
    {"write-sync", "write", 0, "NVMe x24 1256, PMem 1137 MiB/s (1)",
     "NVMe x24 5112, PMem 2952 MiB/s (36)"},
    {"create-list", "memory", 0, "NVMe x24 3297, PMem 4059 MiB/s (1)",
     "NVMe x24 40284, PMem 30240 MiB/s (36)"},
    {"walk-list", "mmap", 0, "NVMe x24 2139, PMem 3557 MiB/s (1)",
     "NVMe x24 9269, PMem 28657 MiB/s (36)"},
    {"random-read", "mmap", kV1Large,
     "NVMe x24 828, PMem 1762 MiB/s (1); NVMe x4 6422, x1 2750 MB/s",
     "NVMe x24 12050, PMem 24700 MiB/s (36); NVMe x4 6422, x1 2750 MB/s"},
    {"random-read", "mmap", kV1Small,
     "NVMe x24 627, PMem 1905 MiB/s (1); NVMe x4 1493, x1 1182 MB/s",
     "NVMe x24 8631, PMem 36970 MiB/s (36); NVMe x4 1493, x1 1182 MB/s"},
    {"random-read", "mmap-per-read", kV1Large, "NVMe x24 607, PMem 1099 MiB/s (1)",
     "NVMe x24 10216, PMem 14679 MiB/s (36)"},
    {"random-read", "mmap-per-read", kV1Small, "NVMe x24 489, PMem 1065 MiB/s (1)",
     "NVMe x24 6618, PMem 8786 MiB/s (36)"},
    {"streaming-read", "mmap", 0, "NVMe x4 7006, x1 2624 MB/s", ""},
    {"open-close", "calls", 0, "NVMe 0.006, EBS gp2 0.004, io1 0.003, st1 0.003 ms", ""},
    {"append", "calls", 0, "NVMe 0.01, EBS gp2 0.006, io1 0.006, st1 0.04 ms", ""},
    {"hcount", "calls", 0, "NVMe 0.003, EBS gp2 0.002, io1 0.002, st1 0.002 ms", ""},
    {"read1-small", "calls", 0, "NVMe 0.022, EBS gp2 0.018, io1 0.017, st1 0.02 ms", ""},
};

}  // namespace

std::string published_of(const IoTest& test, std::size_t processes) {
  if (test.cache == "warm" || test.sync == "fdatasync") return "";
  for (const Published& all : kPublished) {
    if (test.test == all.test && test.engine == all.engine && test.block_bytes == all.block_bytes) {
      return processes == 1 || *all.more == 0 ? all.one : all.more;
    }
  }
  return "";
}

}  // namespace hdbench::bench

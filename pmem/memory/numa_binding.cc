#include "pmem/memory/numa_binding.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

constexpr int kNodesMost = 1024;  // the kernel's MAX_NUMNODES at most
constexpr int kMaskBits = sizeof(unsigned long) * CHAR_BIT;

int found_node_count() {
  static const int count = node_count(MachinePaths{});
  return count;
}

}  // namespace

bool can_bind_memory() {
  return ::syscall(SYS_get_mempolicy, nullptr, nullptr, 0, nullptr, 0) == 0 ||
         (errno != ENOSYS && errno != EPERM);
}

int node_count(const MachinePaths& paths) {
  int count = 1;
  for (const auto& [number, directory] : numbered(paths.sysfs / "devices/system/node", "node")) {
    if (number < kNodesMost) count = number + 1;  // they rise
  }
  return count;
}

int node_count() { return can_bind_memory() ? found_node_count() : 1; }

void prefer_node(std::span<std::byte> memory, int node) {
  if (node < 0 || node >= found_node_count()) return;
  std::array<unsigned long, kNodesMost / kMaskBits> mask = {};
  mask[static_cast<std::size_t>(node / kMaskBits)] |= 1UL << (node % kMaskBits);
  ::syscall(SYS_mbind, memory.data(), memory.size(), MPOL_PREFERRED, mask.data(), kNodesMost + 1,
            0);
}

}  // namespace hdbench

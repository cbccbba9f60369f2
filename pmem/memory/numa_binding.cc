#include "pmem/memory/numa_binding.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <set>

#include "engine/base/thread_pool.h"
#include "engine/base/usable_cpus.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

constexpr int kNodesMost = 1024;  // the kernel's MAX_NUMNODES at most
constexpr int kMaskBits = sizeof(unsigned long) * CHAR_BIT;
using NodeMask = std::array<unsigned long, kNodesMost / kMaskBits>;

bool has_node(const NodeMask& mask, int node) {
  return (mask[static_cast<std::size_t>(node / kMaskBits)] >> (node % kMaskBits) & 1) != 0;
}

}  // namespace

bool can_bind_memory() {
  return ::syscall(SYS_get_mempolicy, nullptr, nullptr, 0, nullptr, 0) == 0 ||
         (errno != ENOSYS && errno != EPERM);
}

std::vector<int> nodes_of_cpus(const std::vector<int>& cpus, const MachinePaths& paths) {
  std::set<int> nodes;
  for (const int cpu : cpus) nodes.insert(node_of_cpu(cpu, paths.sysfs / "devices/system/cpu"));
  std::vector<int> with_memory;
  for (const int node : parse_list(first_line(paths.sysfs / "devices/system/node/has_memory"))) {
    if (nodes.contains(node)) with_memory.push_back(node);
  }
  return with_memory;
}

const std::vector<int>& own_nodes() {
  static const std::vector<int> nodes = [] {
    NodeMask allowed = {};
    const bool is_told = ::syscall(SYS_get_mempolicy, nullptr, allowed.data(), kNodesMost, nullptr,
                                   MPOL_F_MEMS_ALLOWED) == 0;
    std::vector<int> own = is_told ? nodes_of_cpus(usable_cpus()) : std::vector<int>{};
    std::erase_if(own, [&](int node) { return node >= kNodesMost || !has_node(allowed, node); });
    return own;
  }();
  return nodes;
}

void spread_over(std::span<std::byte> memory, const std::vector<int>& nodes) {
  NodeMask mask = {};
  for (const int node : nodes) {
    if (node < 0 || node >= kNodesMost) return;
    mask[static_cast<std::size_t>(node / kMaskBits)] |= 1UL << (node % kMaskBits);
  }
  if (nodes.empty()) return;
  const int policy = nodes.size() == 1 ? MPOL_PREFERRED : MPOL_INTERLEAVE;
  ::syscall(SYS_mbind, memory.data(), memory.size(), policy, mask.data(), kNodesMost + 1, 0);
}

}  // namespace hdbench::pmem

#include "pmem/memory/numa_binding.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include "pmem/base/sysfs_text.h"

namespace hdbench {
namespace {

constexpr int kNodesMost = 1024;  // the kernel's MAX_NUMNODES at most
constexpr int kMaskBits = sizeof(unsigned long) * CHAR_BIT;

}  // namespace

bool can_bind_memory() {
  return ::syscall(SYS_get_mempolicy, nullptr, nullptr, 0, nullptr, 0) == 0 ||
         (errno != ENOSYS && errno != EPERM);
}

std::vector<int> node_numbers(const MachinePaths& paths) {
  std::vector<int> numbers;
  for (const auto& [number, directory] : numbered(paths.sysfs / "devices/system/node", "node")) {
    if (number < kNodesMost) numbers.push_back(number);
  }
  if (numbers.empty()) numbers.push_back(0);
  return numbers;
}

const std::vector<int>& node_numbers() {
  static const std::vector<int> numbers =
      can_bind_memory() ? node_numbers(MachinePaths{}) : std::vector<int>{0};
  return numbers;
}

std::size_t local_node_place() {
  const std::vector<int>& numbers = node_numbers();
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), local_node());
  if (at == numbers.end() || *at != local_node()) return 0;
  return static_cast<std::size_t>(at - numbers.begin());
}

void prefer_node(std::span<std::byte> memory, int node) {
  if (node < 0 || node >= kNodesMost) return;
  std::array<unsigned long, kNodesMost / kMaskBits> mask = {};
  mask[static_cast<std::size_t>(node / kMaskBits)] |= 1UL << (node % kMaskBits);
  ::syscall(SYS_mbind, memory.data(), memory.size(), MPOL_PREFERRED, mask.data(), kNodesMost + 1,
            0);
}

}  // namespace hdbench

#include "pmem/memory/node_pages.h"

#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <set>
#include <system_error>

#include "engine/base/thread_pool.h"
#include "pmem/base/region_source.h"
#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {
namespace {

constexpr int kNodesMax = 1024;  // the kernel's MAX_NUMNODES at most
constexpr int kMaskBits = sizeof(unsigned long) * CHAR_BIT;
using NodeMask = std::array<unsigned long, kNodesMax / kMaskBits>;

constexpr int kWeightedInterleave =
    6;  // MPOL_WEIGHTED_INTERLEAVE, younger than Debian 12's headers
constexpr std::size_t kPagesACall = 4096;

bool is_node(int node) { return node >= 0 && node < kNodesMax; }

bool has_node(const NodeMask& mask, int node) {
  return (mask[static_cast<std::size_t>(node / kMaskBits)] >> (node % kMaskBits) & 1) != 0;
}

// 0, or the kernel's error number. Requires: is_node(), each.
int bind_pages(std::span<std::byte> memory, int mode, const std::vector<int>& nodes) {
  NodeMask mask = {};
  for (const int node : nodes)
    mask[static_cast<std::size_t>(node / kMaskBits)] |= 1UL << (node % kMaskBits);
  // The kernel takes one bit less than it is given.
  return ::syscall(SYS_mbind, memory.data(), memory.size(), mode, mask.data(), kNodesMax + 1, 0U) ==
                 0
             ? 0
             : errno;
}

int policy_of(NodeSpread spread) {
  switch (spread) {
    case NodeSpread::kBind: return MPOL_BIND;
    case NodeSpread::kInterleave: return MPOL_INTERLEAVE;
    case NodeSpread::kWeighted: return kWeightedInterleave;
  }
  return MPOL_BIND;
}

std::string why(int code, NodeSpread spread) {
  std::string text = std::generic_category().message(code);
  if (code == EPERM) text += " (containers forbid it without CAP_SYS_NICE)";
  if (code == EINVAL && spread == NodeSpread::kWeighted) {
    text += " (weighted interleave needs Linux 6.9)";
  }
  return text;
}

struct PageRun {
  const std::byte* first;
  std::uint64_t count;
};

// Bytes that share a page with their neighbours count in both.
PageRun page_run_of(std::span<const std::byte> bytes) {
  const std::size_t before = reinterpret_cast<std::size_t>(bytes.data()) % kRegionAlignment;
  const std::size_t covered = bytes.empty() ? 0 : before + bytes.size();
  return {bytes.data() - before, round_up(covered, kRegionAlignment) / kRegionAlignment};
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
    const bool is_told = ::syscall(SYS_get_mempolicy, nullptr, allowed.data(), kNodesMax, nullptr,
                                   MPOL_F_MEMS_ALLOWED) == 0;
    std::vector<int> own = is_told ? nodes_of_cpus(usable_cpus()) : std::vector<int>{};
    std::erase_if(own, [&](int node) { return !is_node(node) || !has_node(allowed, node); });
    return own;
  }();
  return nodes;
}

void spread_over(std::span<std::byte> memory, const std::vector<int>& nodes) {
  if (nodes.empty() || !std::all_of(nodes.begin(), nodes.end(), is_node)) return;
  bind_pages(memory, nodes.size() == 1 ? MPOL_PREFERRED : MPOL_INTERLEAVE, nodes);
}

Status set_node_policy(std::span<std::byte> memory, const NodePolicy& policy) {
  for (const int node : policy.nodes) {
    if (is_node(node)) continue;
    return data_error(fmt::format("node {} is not between 0 and {}", node, kNodesMax - 1));
  }
  const int failed = bind_pages(memory, policy_of(policy.spread), policy.nodes);
  if (failed == 0) return ok_status();
  return data_error(fmt::format("cannot bind memory to node {}: {}", fmt::join(policy.nodes, ", "),
                                why(failed, policy.spread)));
}

Status locate_pages(std::span<const std::byte* const> pages, std::span<int> nodes) {
  // Without nodes to move to, move_pages only tells.
  if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, nodes.data(), 0) != 0) {
    const int code = errno;
    return data_error(
        fmt::format("cannot ask on which node pages lie: {}", why(code, NodeSpread::kBind)));
  }
  return ok_status();
}

Result<PageCensus> count_pages(const ByteSpans& spans, const PageLocator& locate,
                               std::uint64_t pages_max) {
  PageCensus census;
  for (const auto span : spans) census.pages_total += page_run_of(span).count;
  const std::uint64_t stride = std::max<std::uint64_t>(
      1, (census.pages_total + pages_max - 1) / std::max<std::uint64_t>(pages_max, 1));
  // Many pages are requested in one call.
  std::vector<const std::byte*> batch;
  std::vector<int> nodes(kPagesACall);
  const auto ask = [&]() -> Status {
    if (batch.empty()) return ok_status();
    HDB_TRY(locate(batch, std::span(nodes).first(batch.size())));
    census.pages_looked_at += batch.size();
    for (const int node : std::span(nodes).first(batch.size())) {
      ++(node < 0 ? census.pages_absent : census.by_node[node]);
    }
    batch.clear();
    return ok_status();
  };
  std::uint64_t skipped = 0;  // carried over the spans' ends
  for (const auto span : spans) {
    const PageRun pages = page_run_of(span);
    std::uint64_t page = skipped;
    for (; page < pages.count; page += stride) {
      batch.push_back(pages.first + page * kRegionAlignment);
      if (batch.size() == kPagesACall) HDB_TRY(ask());
    }
    skipped = page - pages.count;
  }
  HDB_TRY(ask());
  return census;
}

std::string describe(const PageCensus& census) {
  std::string text;
  for (const auto& [node, pages] : census.by_node) {
    text += text.empty()
                ? fmt::format("{} of {} pages on node {}", pages, census.pages_present(), node)
                : fmt::format(", {} on node {}", pages, node);
  }
  return text.empty() ? fmt::format("none of {} pages on a node", census.pages_looked_at) : text;
}

}  // namespace hdbench::pmem

// Binds memory to NUMA nodes or spreads it over them, and asks for the node of each page.
//
// By system calls and sysfs, not by libnuma, which ends the program before main() where
// /sys/devices/system/node is empty or senseless. Containers often forbid the calls; the message
// says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::pmem {

// Whether the kernel (or container) has memory policies.
bool can_bind_memory();

// The nodes of these CPUs that have memory, rising; empty where sysfs shows none.
std::vector<int> nodes_of_cpus(const std::vector<int>& cpus, const MachinePaths& paths = {});

// Those of the CPUs that this process may use, as far as it may take their memory; empty where
// memory cannot be bound.
const std::vector<int>& own_nodes();

// Spreads pages of `memory` that are not touched yet over these nodes, page by page; over one node
// alone it prefers that. No nodes, or a kernel or container that refuses, is no error: the pages
// then lie where they are first touched. Requires: memory starts on a page.
void spread_over(std::span<std::byte> memory, const std::vector<int>& nodes);

enum class NodeSpread {
  kBind,        // on these nodes and no other
  kInterleave,  // page by page over them
  kWeighted,    // the same by the kernel's weights, from Linux 6.9 on
};

struct NodePolicy {
  NodeSpread spread = NodeSpread::kBind;
  std::vector<int> nodes;
};

// For pages that are not touched yet. Requires: memory starts on a page. Errors: kData, with what
// the kernel said.
Status set_node_policy(std::span<std::byte> memory, const NodePolicy& policy);

// Writes the node of each page, or something negative where it has none: never touched, swapped
// out, or a page of zeros. Errors: kData, where the kernel does not tell.
using PageLocator =
    std::function<Status(std::span<const std::byte* const> pages, std::span<int> nodes)>;
Status locate_pages(std::span<const std::byte* const> pages, std::span<int> nodes);

struct PageCensus {
  std::uint64_t pages_total = 0;      // of 4 KiB
  std::uint64_t pages_looked_at = 0;  // every one, up to pages_max; beyond, evenly spread
  std::uint64_t pages_absent = 0;     // of them, on no node
  std::map<int, std::uint64_t> by_node;

  std::uint64_t pages_present() const { return pages_looked_at - pages_absent; }
};

using ByteSpans = std::vector<std::span<const std::byte>>;
inline constexpr std::uint64_t kCensusPagesMax = std::uint64_t{1} << 22;

// Errors: the locator's.
Result<PageCensus> count_pages(const ByteSpans& spans, const PageLocator& locate,
                               std::uint64_t pages_max = kCensusPagesMax);

// "4059 of 4096 pages on node 0, 37 on node 1": of those that lie on a node.
std::string describe(const PageCensus& census);

}  // namespace hdbench::pmem

// The medium dram: the database copied into anonymous memory with huge pages, interleaved over the
// nodes of the CPUs that this process uses.
//
// Every run is warm. The proof counts resident bytes and those in huge pages, and checks page by
// page that they lie on nodes that have CPUs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"
#include "pmem/media/medium.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::pmem {

// The medium's name: dram, or memory-mode if a near cache is in front of all memory.
struct DramName {
  std::string name = "dram";
  std::string label = {};    // empty: "real (anonymous memory)"
  bool on_any_node = false;  // nothing is promised of nodes
};
// The nodes whose memory is like the CPUs' own, by number; empty where sysfs shows none. Other
// memory (CXL, persistent), also in DRAM's tier, is a medium of its own.
std::vector<int> ordinary_nodes(const MachinePaths& paths = {});

std::unique_ptr<Medium> make_dram_medium(const DramName& name = {},
                                         const PageLocator& locate = locate_pages);

}  // namespace hdbench::pmem

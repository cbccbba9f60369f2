// Media in this machine's memory: the database is copied into huge anonymous memory, and results
// lie there as well. dram is interleaved over the nodes of the CPUs that this process uses; numa:N
// and cxl are bound to chosen nodes.
//
// Every run is warm. verify_placement() asks the kernel for the node of every page, as binding
// alone is no proof; where the kernel does not tell, that is an error for bound memory alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pmem/base/machine_paths.h"
#include "pmem/base/region_source.h"
#include "pmem/media/medium.h"
#include "pmem/media/node_choice.h"

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

// Errors: kData: the kernel does not bind memory to these nodes.
Result<std::unique_ptr<Medium>> make_node_medium(const NodeChoice& choice,
                                                 const PageLocator& locate = locate_pages);

// Huge anonymous memory on these nodes, for who measures it. Errors: kData: no space on a node, or
// the kernel does not bind memory to them.
RegionSource bound_memory(const NodeChoice& choice);

// Whether each node has space for its share, by its meminfo: a full node would bring the kernel's
// killer, not an error. Errors: kData, with both figures.
Status require_room_on_nodes(const NodeChoice& choice, std::size_t bytes,
                             const MachinePaths& paths = {});

}  // namespace hdbench::pmem

// A medium of chosen NUMA nodes: the database is copied into huge anonymous memory bound to them,
// and results as well.
//
// verify_placement() asks the kernel for the node of every page, as binding alone is no proof.
#pragma once

#include <memory>

#include "pmem/base/machine_paths.h"
#include "pmem/base/region_source.h"
#include "pmem/media/medium.h"
#include "pmem/media/node_choice.h"

namespace hdbench::pmem {

// Errors: kData: the kernel does not bind memory to these nodes.
Result<std::unique_ptr<Medium>> make_node_medium(const NodeChoice& choice,
                                                 const PageLocator& locate = locate_pages);

// Huge anonymous memory on these nodes, for who measures it. Errors: kData: no room on a node, or
// the kernel does not bind memory to them.
RegionSource bound_memory(const NodeChoice& choice);

// Whether each node has room for its share, by its meminfo: a full node would bring the kernel's
// killer, not an error. Errors: kData, with both figures.
Status require_room_on_nodes(const NodeChoice& choice, std::size_t bytes,
                             const MachinePaths& paths = {});

}  // namespace hdbench::pmem

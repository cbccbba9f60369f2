// dram: the database copied into anonymous memory with huge pages, near the threads that load it.
//
// Every run is warm. The proof counts resident bytes, and how many of them lie in huge pages.
#pragma once

#include <memory>
#include <string>

#include "pmem/medium.h"
#include "pmem/region_heap.h"

namespace hdbench {

// What this memory is called: dram, or memory-mode where a near cache lies in front of all of it.
struct DramName {
  std::string name = "dram";
  std::string label = {};  // empty: "real (anonymous memory)"
};
std::unique_ptr<Medium> make_dram_medium(const DramName& name = {});

// Anonymous memory for results; big freed blocks are kept, up to 4 GiB or a quarter of the
// machine's memory.
std::unique_ptr<RegionHeap> make_dram_heap();

}  // namespace hdbench

// find_usable_cpus() through hwloc: first one hardware thread of every core, then the second ones,
// and so on.
#include <hwloc.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/base/thread_pool.h"

namespace hdbench {
namespace {

struct TopologyDeleter {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
struct BitmapDeleter {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Topology = std::unique_ptr<hwloc_topology, TopologyDeleter>;
using Bitmap = std::unique_ptr<hwloc_bitmap_s, BitmapDeleter>;

// Appends the `place`-th allowed hardware thread of each core; returns how many were found.
int append_hardware_threads(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, int place,
                            std::vector<int>& cpus) {
  int found = 0;
  const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
  for (int i = 0; i < cores; ++i) {
    hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
    const Bitmap mine(hwloc_bitmap_alloc());
    hwloc_bitmap_and(mine.get(), core->cpuset, allowed);
    int cpu = hwloc_bitmap_first(mine.get());
    for (int step = 0; step < place && cpu >= 0; ++step) cpu = hwloc_bitmap_next(mine.get(), cpu);
    if (cpu < 0) continue;
    cpus.push_back(cpu);
    ++found;
  }
  return found;
}

}  // namespace

std::vector<int> find_usable_cpus() {
  std::vector<int> cpus;
  // Where /sys is not mounted hwloc would say so on standard error, twice; it then knows the
  // affinity mask only.
  ::setenv("HWLOC_HIDE_ERRORS", "2", 0);
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) == 0) {
    const Topology topology(raw);
    const Bitmap allowed(hwloc_bitmap_alloc());
    if (hwloc_topology_load(raw) == 0 &&
        hwloc_get_cpubind(raw, allowed.get(), HWLOC_CPUBIND_PROCESS) == 0) {
      for (int place = 0; append_hardware_threads(raw, allowed.get(), place, cpus) > 0;) ++place;
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

}  // namespace hdbench

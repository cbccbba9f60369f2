#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <type_traits>

#include "pmem/machine/hwloc_memory.h"

namespace hdbench {
namespace {

using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

std::string cpus_of(const hwloc_location& initiator) {
  if (initiator.type != HWLOC_LOCATION_TYPE_CPUSET) return {};
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, initiator.location.cpuset) < 0) return {};
  std::string cpus = text;
  std::free(text);
  return cpus;
}

// Capacity and locality are told elsewhere.
std::vector<MemoryAttribute> attributes_of(hwloc_topology_t topology, hwloc_obj_t node) {
  std::vector<MemoryAttribute> found;
  const char* name = nullptr;
  for (hwloc_memattr_id_t id = 0; hwloc_memattr_get_name(topology, id, &name) == 0; ++id) {
    const std::string_view word = name;
    if (word == "Capacity" || word == "Locality") continue;
    hwloc_location initiator = {};
    hwloc_uint64_t value = 0;
    if (hwloc_memattr_get_best_initiator(topology, id, node, 0, &initiator, &value) == 0) {
      found.push_back({std::string(word), value, cpus_of(initiator)});
    }
  }
  return found;
}

HwlocNode read_node(hwloc_topology_t topology, hwloc_obj_t object) {
  HwlocNode node;
  node.number = static_cast<int>(object->os_index);
  if (object->subtype != nullptr) node.subtype = object->subtype;
  for (hwloc_obj_t above = object->parent; above != nullptr && above->type == HWLOC_OBJ_MEMCACHE;
       above = above->parent) {
    node.memory_side_cache_bytes.push_back(above->attr->cache.size);
  }
  node.attributes = attributes_of(topology, object);
  return node;
}

}  // namespace

HwlocMemory read_hwloc_memory() {
  HwlocMemory found;
  found.source = "hwloc " HWLOC_VERSION;
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return {found.source + " cannot start", {}};
  const Topology topology(made, &hwloc_topology_destroy);
  // Memory-side caches are left out unless all types are kept; devices are not looked for.
  hwloc_topology_set_all_types_filter(made, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(made) != 0) return {found.source + " sees nothing", {}};
  const int count = hwloc_get_nbobjs_by_type(made, HWLOC_OBJ_NUMANODE);
  for (int i = 0; i < count; ++i) {
    found.nodes.push_back(
        read_node(made, hwloc_get_obj_by_type(made, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(i))));
  }
  std::sort(found.nodes.begin(), found.nodes.end(),
            [](const HwlocNode& a, const HwlocNode& b) { return a.number < b.number; });
  return found;
}

}  // namespace hdbench

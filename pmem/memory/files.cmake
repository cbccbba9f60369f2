hdbench_library(pmem_memory
  SOURCES
    memory/arena.cc
    memory/cache_state.cc
    memory/huge_memory.cc
    memory/mapping_registry.cc
    memory/memory_areas.cc
    memory/node_pages.cc
    memory/page_holders.cc
    memory/placement_proof.cc
    memory/region_heap.cc
    memory/scratch_file.cc
    memory/slab_resource.cc
    memory/spill_resource.cc
  LINKS hdbench_pmem_base)
if(HDBENCH_HAS_NUMA)
  target_sources(hdbench_pmem_memory PRIVATE memory/numa_binding_libnuma.cc)
  target_link_libraries(hdbench_pmem_memory PRIVATE PkgConfig::NUMA)
else()
  target_sources(hdbench_pmem_memory PRIVATE memory/numa_binding_absent.cc)
endif()
list(APPEND PMEM_TESTS
  memory/arena_test.cc
  memory/cache_state_test.cc
  memory/huge_memory_test.cc
  memory/mapping_registry_test.cc
  memory/memory_areas_test.cc
  memory/node_pages_test.cc
  memory/numa_binding_test.cc
  memory/page_holders_test.cc
  memory/placement_proof_test.cc
  memory/region_heap_test.cc
  memory/scratch_file_test.cc
  memory/slab_resource_test.cc
  memory/spill_resource_test.cc)

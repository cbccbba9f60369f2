list(APPEND PMEM_SOURCES
  memory/cache_state.cc
  memory/huge_memory.cc
  memory/mapping_registry.cc
  memory/node_pages.cc
  memory/placement_proof.cc
  memory/region_heap.cc
  memory/scratch_file.cc)
list(APPEND PMEM_TESTS
  memory/cache_state_test.cc
  memory/huge_memory_test.cc
  memory/mapping_registry_test.cc
  memory/node_pages_test.cc
  memory/placement_proof_test.cc
  memory/region_heap_test.cc
  memory/scratch_file_test.cc)

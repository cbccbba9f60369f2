hdbench_library(pmem_readahead
  SOURCES
    readahead/direct_pass.cc
    readahead/direct_ring.cc
    readahead/spare_mapping.cc
  LINKS hdbench_pmem_machine)
list(APPEND PMEM_TESTS
  readahead/direct_pass_test.cc
  readahead/direct_ring_test.cc
  readahead/spare_mapping_test.cc)

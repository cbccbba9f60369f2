hdbench_library(pmem_readahead
  SOURCES
    readahead/read_ahead.cc
    readahead/read_ahead_buffers.cc
    readahead/shadow_mapping.cc
  LINKS hdbench_pmem_machine)
list(APPEND PMEM_TESTS
  readahead/read_ahead_test.cc
  readahead/read_ahead_buffers_test.cc
  readahead/shadow_mapping_test.cc)

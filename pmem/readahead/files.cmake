hdbench_library(pmem_readahead
  SOURCES
    readahead/read_ahead.cc
    readahead/read_ahead_buffers.cc
  LINKS hdbench_pmem_machine)
list(APPEND PMEM_TESTS
  readahead/read_ahead_test.cc
  readahead/read_ahead_buffers_test.cc)

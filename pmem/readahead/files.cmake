list(APPEND PMEM_SOURCES
  readahead/read_ahead.cc
  readahead/read_ahead_buffers.cc)
list(APPEND PMEM_TESTS
  readahead/read_ahead_test.cc
  readahead/read_ahead_buffers_test.cc)

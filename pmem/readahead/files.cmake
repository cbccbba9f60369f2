list(APPEND PMEM_SOURCES
  readahead/bounce.cc
  readahead/direct_pass.cc
  readahead/direct_ring.cc
  readahead/spare_mapping.cc)
list(APPEND PMEM_TESTS
  readahead/bounce_test.cc
  readahead/direct_pass_test.cc
  readahead/direct_ring_test.cc
  readahead/spare_mapping_test.cc)

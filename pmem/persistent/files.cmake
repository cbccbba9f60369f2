list(APPEND PMEM_SOURCES
  persistent/app_direct_place.cc
  persistent/device_dax.cc
  persistent/image_format.cc
  persistent/image_pool.cc)
if(HDBENCH_HAS_PMEM)
  list(APPEND PMEM_SOURCES persistent/libpmem_mapping_libpmem.cc)
  list(APPEND PMEM_LINKS PkgConfig::PMEM)
else()
  list(APPEND PMEM_SOURCES persistent/libpmem_mapping_absent.cc)
endif()
list(APPEND PMEM_TESTS
  persistent/app_direct_place_test.cc
  persistent/device_dax_test.cc
  persistent/image_format_test.cc
  persistent/image_pool_test.cc
  persistent/libpmem_mapping_test.cc)

hdbench_library(pmem_persistent UNTIMED
  SOURCES
    persistent/app_direct_place.cc
    persistent/device_dax.cc
    persistent/image_format.cc
    persistent/image_pool.cc
  LINKS hdbench_pmem_machine PkgConfig::XXHASH)
if(HDBENCH_HAS_PMEM)
  target_sources(hdbench_pmem_persistent PRIVATE persistent/libpmem_mapping_libpmem.cc)
  target_link_libraries(hdbench_pmem_persistent PRIVATE PkgConfig::PMEM)
else()
  target_sources(hdbench_pmem_persistent PRIVATE persistent/libpmem_mapping_absent.cc)
endif()
list(APPEND PMEM_TESTS
  persistent/app_direct_place_test.cc
  persistent/device_dax_test.cc
  persistent/image_format_test.cc
  persistent/image_pool_test.cc
  persistent/libpmem_mapping_test.cc)

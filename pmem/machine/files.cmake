hdbench_library(pmem_machine
  SOURCES
    machine/block_device.cc
    machine/cxl_devices.cc
    machine/dax_devices.cc
    machine/hmat.cc
    machine/mount.cc
    machine/numa_nodes.cc
    machine/nvdimm_sysfs.cc
    machine/topology.cc
    machine/weighted_interleave.cc
  LINKS hdbench_pmem_memory)
if(HDBENCH_HAS_NDCTL)
  target_sources(hdbench_pmem_machine PRIVATE machine/nvdimm_ndctl.cc)
  target_link_libraries(hdbench_pmem_machine PRIVATE PkgConfig::NDCTL)
else()
  target_sources(hdbench_pmem_machine PRIVATE machine/nvdimm_absent.cc)
endif()
if(HDBENCH_HAS_HWLOC)
  target_sources(hdbench_pmem_machine PRIVATE machine/hwloc_memory_hwloc.cc)
  target_link_libraries(hdbench_pmem_machine PRIVATE PkgConfig::HWLOC)
else()
  target_sources(hdbench_pmem_machine PRIVATE machine/hwloc_memory_absent.cc)
endif()
list(APPEND PMEM_TESTS
  machine/block_device_test.cc
  machine/cxl_devices_test.cc
  machine/dax_devices_test.cc
  machine/hmat_test.cc
  machine/hwloc_memory_test.cc
  machine/mount_test.cc
  machine/numa_nodes_test.cc
  machine/nvdimm_sysfs_test.cc
  machine/nvdimm_test.cc
  machine/topology_test.cc
  machine/weighted_interleave_test.cc)

list(APPEND PMEM_SOURCES
  machine/block_device.cc
  machine/cxl_devices.cc
  machine/memory_blocks.cc
  machine/memory_setup.cc
  machine/mount.cc
  machine/numa_nodes.cc
  machine/nvdimm.cc
  machine/topology.cc)
list(APPEND PMEM_TESTS
  machine/block_device_test.cc
  machine/cxl_devices_test.cc
  machine/memory_blocks_test.cc
  machine/memory_setup_test.cc
  machine/mount_test.cc
  machine/numa_nodes_test.cc
  machine/nvdimm_test.cc
  machine/topology_test.cc)

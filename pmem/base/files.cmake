list(APPEND PMEM_SOURCES
  base/capabilities.cc
  base/cgroup_limits.cc
  base/free_room.cc
  base/medium_spec.cc
  base/page_counters.cc
  base/sysfs_text.cc)
list(APPEND PMEM_TESTS
  base/capabilities_test.cc
  base/cgroup_limits_test.cc
  base/free_room_test.cc
  base/medium_spec_test.cc
  base/page_counters_test.cc
  base/shared_array_test.cc
  base/sysfs_text_test.cc)

hdbench_library(bench_storage_volumes UNTIMED
  SOURCES
    storage/volumes/credit_controller.cc
    storage/volumes/held_readahead.cc
    storage/volumes/temporary_disk.cc
    storage/volumes/throttle.cc
    storage/volumes/throttled_volume.cc
    storage/volumes/volume_caps.cc
    storage/volumes/volume_class.cc
  LINKS hdbench_bench_machine hdbench_pmem_emulator)
list(APPEND IO_MACHINE_TESTS
  storage/volumes/credit_controller_test.cc
  storage/volumes/held_readahead_test.cc
  storage/volumes/temporary_disk_test.cc
  storage/volumes/throttle_test.cc
  storage/volumes/volume_caps_test.cc
  storage/volumes/volume_class_test.cc)

hdbench_library(bench_storage_volumes UNTIMED
  SOURCES
    storage/volumes/throttle.cc
    storage/volumes/throttled_volume.cc
  LINKS hdbench_bench_machine hdbench_pmem_emulator)
list(APPEND IO_MACHINE_TESTS
  storage/volumes/throttle_test.cc
  storage/volumes/throttled_volume_test.cc)

list(APPEND BENCH_SOURCES
  storage/volumes/throttle.cc
  storage/volumes/throttled_volume.cc)
list(APPEND IO_MACHINE_TESTS
  storage/volumes/throttle_test.cc
  storage/volumes/throttled_volume_test.cc)

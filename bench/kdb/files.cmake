list(APPEND BENCH_SOURCES
  kdb/kdb_heap.cc
  kdb/kdb_memory.cc
  kdb/kdb_steps.cc
  kdb/what_if.cc)
list(APPEND BENCH_TESTS
  kdb/kdb_heap_test.cc
  kdb/kdb_memory_test.cc
  kdb/kdb_steps_test.cc
  kdb/what_if_test.cc)

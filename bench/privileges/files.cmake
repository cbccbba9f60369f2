list(APPEND BENCH_SOURCES
  privileges/privileged_helper.cc
  privileges/privileges.cc)
list(APPEND IO_MACHINE_TESTS
  privileges/privileged_helper_test.cc
  privileges/privileges_test.cc)

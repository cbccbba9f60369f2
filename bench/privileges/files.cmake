hdbench_library(bench_privileges UNTIMED
  SOURCES
    privileges/privileged_helper.cc
    privileges/privileges.cc
  LINKS hdbench_bench_base)
list(APPEND IO_MACHINE_TESTS
  privileges/privileged_helper_test.cc
  privileges/privileges_test.cc)

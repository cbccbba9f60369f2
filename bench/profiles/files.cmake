hdbench_library(bench_profiles UNTIMED
  SOURCES
    profiles/profiles.cc
  LINKS hdbench_bench_machine)
list(APPEND BENCH_TESTS
  profiles/profiles_test.cc)

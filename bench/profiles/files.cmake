list(APPEND BENCH_SOURCES
  profiles/profiles.cc)
list(APPEND BENCH_TESTS
  profiles/profiles_test.cc)

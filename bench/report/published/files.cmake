list(APPEND BENCH_SOURCES
  report/published/published.cc)

list(APPEND BENCH_SOURCES
  predict/prediction.cc
  predict/recording.cc
  predict/replay.cc
  predict/trace.cc)
list(APPEND BENCH_TESTS)

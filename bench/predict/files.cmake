list(APPEND BENCH_SOURCES
  predict/interleave_search.cc
  predict/prediction.cc
  predict/query_recordings.cc
  predict/recording.cc
  predict/replay.cc
  predict/trace.cc)
list(APPEND BENCH_TESTS
  predict/interleave_search_test.cc
  predict/replay_test.cc)

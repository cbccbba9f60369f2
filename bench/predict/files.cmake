list(APPEND BENCH_SOURCES
  predict/prediction.cc
  predict/prediction_output.cc
  predict/query_recordings.cc
  predict/recording.cc
  predict/replay.cc
  predict/trace.cc)
list(APPEND BENCH_TESTS predict/replay_test.cc)

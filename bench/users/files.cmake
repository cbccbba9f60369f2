list(APPEND BENCH_SOURCES
  users/load.cc
  users/query_mix.cc
  users/rank_load.cc
  users/worker_pool.cc)
list(APPEND BENCH_TESTS
  users/load_test.cc
  users/query_mix_test.cc
  users/rank_load_test.cc
  users/worker_pool_test.cc)

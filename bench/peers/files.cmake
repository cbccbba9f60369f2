list(APPEND BENCH_SOURCES
  peers/peer_cells.cc
  peers/peer_worker.cc)
list(APPEND BENCH_TESTS
  peers/peer_cells_test.cc
  peers/peer_worker_test.cc)

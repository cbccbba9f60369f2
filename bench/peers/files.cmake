hdbench_library(bench_peers UNTIMED
  SOURCES
    peers/peer_cells.cc
    peers/peer_worker.cc
  LINKS hdbench_bench_model)
target_compile_definitions(hdbench_bench_peers PRIVATE
  HDBENCH_PEERS_DIR="${CMAKE_CURRENT_SOURCE_DIR}/peers")
list(APPEND BENCH_TESTS
  peers/peer_cells_test.cc
  peers/peer_worker_test.cc)

hdbench_library(bench_run UNTIMED
  SOURCES
    run/expected_counts.cc
    run/experiment.cc
    run/hdbench_cells.cc
    run/limit_search.cc
    run/made_database.cc
    run/matrices.cc
    run/matrix.cc
    run/matrix_run.cc
    run/memory_figures.cc
    run/needed_columns.cc
    run/placement_notes.cc
    run/placement_rounds.cc
    run/resumed_cells.cc
    run/session.cc
    run/table_placement.cc
  LINKS hdbench_bench_peers hdbench_bench_results hdbench_datagen
        tomlplusplus::tomlplusplus)
target_compile_definitions(hdbench_bench_run PRIVATE
  HDBENCH_EXPERIMENTS_DIR="${CMAKE_CURRENT_SOURCE_DIR}/experiments")
list(APPEND BENCH_TESTS
  run/expected_counts_test.cc
  run/experiment_test.cc
  run/hdbench_cells_test.cc
  run/limit_search_test.cc
  run/made_database_test.cc
  run/matrix_run_test.cc
  run/matrix_test.cc
  run/memory_figures_test.cc
  run/needed_columns_test.cc
  run/placement_notes_test.cc
  run/placement_rounds_test.cc
  run/resumed_cells_test.cc)

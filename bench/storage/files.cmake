list(APPEND BENCH_SOURCES
  storage/column_data.cc
  storage/file_calls.cc
  storage/io_ceilings.cc
  storage/io_comparison.cc
  storage/io_json.cc
  storage/io_published.cc
  storage/io_ranks.cc
  storage/io_run.cc
  storage/io_table.cc
  storage/io_target.cc
  storage/io_tests.cc
  storage/metadata_tests.cc
  storage/read_tests.cc
  storage/table_tests.cc
  storage/write_tests.cc)
list(APPEND BENCH_TIMED storage/cpu_tests.cc)
list(APPEND IO_TESTS
  storage/column_data_test.cc
  storage/io_ceilings_test.cc
  storage/io_comparison_test.cc
  storage/io_json_test.cc
  storage/io_ranks_test.cc
  storage/io_run_test.cc
  storage/io_table_test.cc
  storage/io_target_test.cc
  storage/io_tests_test.cc)

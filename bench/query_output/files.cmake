list(APPEND BENCH_SOURCES
  query_output/print_description.cc
  query_output/print_result.cc
  query_output/query_output.cc)
list(APPEND BENCH_TESTS
  query_output/print_description_test.cc
  query_output/print_result_test.cc
  query_output/query_output_test.cc)

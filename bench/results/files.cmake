list(APPEND BENCH_SOURCES
  results/comparison.cc
  results/comparison_output.cc
  results/forecasts.cc
  results/judgement.cc
  results/results_json.cc
  results/run_journal.cc)
list(APPEND BENCH_TESTS
  results/comparison_output_test.cc
  results/comparison_test.cc
  results/forecasts_test.cc
  results/judgement_test.cc
  results/results_json_test.cc
  results/run_journal_test.cc)

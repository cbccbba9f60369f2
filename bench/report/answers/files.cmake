list(APPEND BENCH_SOURCES
  report/answers/compression_answer.cc
  report/answers/headline.cc
  report/answers/outcome_answers.cc
  report/answers/quality.cc
  report/answers/sizing_answers.cc
  report/answers/tier_answers.cc
  report/answers/trust_answer.cc)
list(APPEND REPORT_TESTS
  report/answers/answers_test.cc
  report/answers/compression_answer_test.cc
  report/answers/headline_test.cc
  report/answers/quality_test.cc)

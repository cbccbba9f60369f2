list(APPEND BENCH_SOURCES
  advise/advice.cc
  advise/placement_problem.cc
  advise/tiers.cc
  advise/verification.cc)
list(APPEND BENCH_TESTS
  advise/advice_test.cc
  advise/placement_problem_test.cc
  advise/tiers_test.cc)

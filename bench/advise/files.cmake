list(APPEND BENCH_SOURCES
  advise/advice.cc
  advise/placement_problem.cc
  advise/tiers.cc)

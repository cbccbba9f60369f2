list(APPEND BENCH_SOURCES
  model/axes.cc
  model/cell_ceiling.cc
  model/cell_result.cc
  model/column_places.cc
  model/peer_plan.cc
  model/query_check.cc
  model/query_list.cc
  model/rank_context.cc
  model/repetition_rule.cc
  model/time_budget.cc
  model/users_cell.cc)
list(APPEND BENCH_TESTS
  model/axes_test.cc
  model/cell_ceiling_test.cc
  model/cell_result_test.cc
  model/column_places_test.cc
  model/peer_plan_test.cc
  model/query_check_test.cc
  model/query_list_test.cc
  model/rank_context_test.cc
  model/repetition_rule_test.cc
  model/time_budget_test.cc
  model/users_cell_test.cc)

list(APPEND ENGINE_SOURCES
  exec/computed_columns.cc
  exec/execute.cc
  exec/explain.cc
  exec/group_state.cc
  exec/group_worker.cc
  exec/prefetch_plan.cc
  exec/prefetcher.cc
  exec/query_input.cc
  exec/row_aggregates.cc
  exec/run_group.cc
  exec/run_select.cc
  exec/spread_groups.cc
  exec/workspace.cc)
list(APPEND ENGINE_TESTS
  exec/execute_property_test.cc
  exec/execute_test.cc
  exec/explain_test.cc
  exec/flat_last_rows_test.cc
  exec/group_properties_test.cc
  exec/last_row_scan_test.cc
  exec/null_codes_test.cc
  exec/prefetch_plan_test.cc
  exec/prefetcher_test.cc
  exec/row_aggregates_test.cc
  exec/spread_groups_test.cc
  exec/workspace_test.cc
  exec/computed_columns_test.cc)

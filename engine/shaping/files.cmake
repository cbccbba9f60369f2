list(APPEND ENGINE_SOURCES
  shaping/range_aggregates.cc
  shaping/result_schema.cc
  shaping/row_joins.cc
  shaping/row_keys.cc
  shaping/row_lists.cc
  shaping/row_order.cc
  shaping/row_tables.cc
  shaping/timed_groups.cc
  shaping/window_joins.cc
  shaping/windows.cc)
list(APPEND ENGINE_TESTS
  shaping/row_joins_test.cc
  shaping/row_order_test.cc
  shaping/windows_test.cc)

list(APPEND ENGINE_SOURCES
  shaping/result_schema.cc
  shaping/row_joins.cc
  shaping/row_keys.cc
  shaping/row_order.cc
  shaping/windows.cc)
list(APPEND ENGINE_TESTS
  shaping/row_joins_test.cc
  shaping/row_order_test.cc
  shaping/windows_test.cc)

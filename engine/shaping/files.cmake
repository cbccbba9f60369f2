list(APPEND ENGINE_SOURCES
  shaping/null_element.cc
  shaping/result_schema.cc
  shaping/row_aggregates.cc
  shaping/row_groups.cc
  shaping/row_joins.cc
  shaping/row_lists.cc
  shaping/row_order.cc
  shaping/row_words.cc
  shaping/windows.cc)
list(APPEND ENGINE_TESTS
  shaping/row_aggregates_test.cc
  shaping/row_groups_test.cc
  shaping/row_joins_test.cc
  shaping/row_lists_test.cc
  shaping/row_order_test.cc
  shaping/windows_test.cc)
set_source_files_properties(shaping/row_aggregates_test.cc
                            shaping/row_groups_test.cc shaping/row_joins_test.cc
                            shaping/row_lists_test.cc shaping/row_order_test.cc
                            shaping/windows_test.cc
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

list(APPEND ENGINE_SOURCES
  column/column_error.cc
  column/domain.cc
  column/filled_column.cc
  column/format_value.cc
  column/memory_table.cc
  column/result_table.cc)
list(APPEND ENGINE_TESTS
  column/column_error_test.cc
  column/domain_test.cc
  column/filled_column_test.cc
  column/format_value_test.cc
  column/memory_table_test.cc
  column/result_table_test.cc
  column/type_test.cc)

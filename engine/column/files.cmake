list(APPEND ENGINE_SOURCES column/result_table.cc)
list(APPEND ENGINE_TESTS column/result_table_test.cc)

list(APPEND ENGINE_SOURCES
  storage/column_writer.cc
  storage/parted_index.cc)
list(APPEND ENGINE_TESTS
  storage/column_writer_test.cc
  storage/parted_index_test.cc)

list(APPEND ENGINE_SOURCES
  storage/anymap.cc
  storage/column_file.cc
  storage/column_writer.cc
  storage/database.cc
  storage/database_layout.cc
  storage/disk_table.cc
  storage/flat_table.cc
  storage/linked_table.cc
  storage/narrow_codes.cc
  storage/parted_index.cc
  storage/plain_file.cc
  storage/saved_object.cc
  storage/saved_table.cc
  storage/symbol_list.cc)
list(APPEND ENGINE_TESTS
  storage/anymap_test.cc
  storage/column_file_test.cc
  storage/column_writer_test.cc
  storage/database_layout_test.cc
  storage/database_test.cc
  storage/disk_table_test.cc
  storage/flat_table_test.cc
  storage/linked_table_test.cc
  storage/narrow_codes_test.cc
  storage/parted_index_test.cc
  storage/plain_file_test.cc
  storage/rewrite_test.cc
  storage/samples_test.cc
  storage/saved_object_test.cc
  storage/saved_table_test.cc
  storage/symbol_list_test.cc)
# Alone, so that the other tests stay with their neighbours.
set_source_files_properties(storage/linked_table_test.cc storage/saved_object_test.cc
  storage/saved_table_test.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

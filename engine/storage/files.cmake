list(APPEND ENGINE_SOURCES
  storage/anymap.cc
  storage/column_file.cc
  storage/column_header.cc
  storage/column_writer.cc
  storage/database.cc
  storage/database_layout.cc
  storage/disk_table.cc
  storage/ipc_decompress.cc
  storage/kx_zip.cc
  storage/page_cache_store.cc
  storage/parted_index.cc
  storage/plain_file.cc
  storage/symbol_list.cc)
list(APPEND ENGINE_TESTS
  storage/column_writer_test.cc
  storage/ipc_decompress_test.cc
  storage/kx_zip_test.cc
  storage/page_cache_store_test.cc
  storage/parted_index_test.cc
  storage/rewrite_test.cc
  storage/samples_test.cc)

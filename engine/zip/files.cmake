list(APPEND ENGINE_SOURCES zip/kx_zip.cc zip/kx_zip_writer.cc zip/packed_file.cc)
list(APPEND ENGINE_TESTS zip/kx_zip_test.cc zip/kx_zip_writer_test.cc zip/packed_file_test.cc)

list(APPEND ENGINE_SOURCES
  zip/ipc_decompress.cc
  zip/kx_zip.cc)
list(APPEND ENGINE_TESTS
  zip/ipc_decompress_test.cc
  zip/kx_zip_test.cc)

list(APPEND ENGINE_SOURCES zip/kx_zip.cc)
list(APPEND ENGINE_TESTS zip/kx_zip_test.cc)

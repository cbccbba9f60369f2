list(APPEND ENGINE_SOURCES kernel/compress.cc kernel/order_keys.cc kernel/scan.cc)
list(APPEND ENGINE_TESTS)

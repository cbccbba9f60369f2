list(APPEND ENGINE_SOURCES kernel/compress.cc kernel/like.cc kernel/order_keys.cc kernel/scan.cc
     kernel/stream.cc)
list(APPEND ENGINE_TESTS kernel/like_test.cc kernel/order_keys_test.cc kernel/scan_test.cc
     kernel/stream_test.cc)

list(APPEND ENGINE_SOURCES
  kernel/compact.cc kernel/cpu_tuning.cc kernel/like.cc kernel/order_keys.cc kernel/row_kernels.cc
  kernel/value_kernels.cc)
list(APPEND ENGINE_TESTS
  kernel/add_rows_test.cc kernel/bucket_test.cc kernel/compact_test.cc
  kernel/cpu_tuning_test.cc kernel/ids_test.cc
  kernel/last_rows_test.cc kernel/like_test.cc kernel/order_keys_test.cc kernel/reduce_test.cc
  kernel/scan_test.cc kernel/selection_test.cc kernel/split_sum_test.cc kernel/stream_test.cc
  kernel/take_test.cc)

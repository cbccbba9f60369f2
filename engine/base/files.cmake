list(APPEND ENGINE_SOURCES
  base/file_handle.cc
  base/map_budget.cc
  base/new_file.cc
  base/store.cc
  base/task_shares.cc
  base/text.cc
  base/thread_pool.cc
  base/write_guard.cc)
list(APPEND ENGINE_TESTS
  base/byte_stream_test.cc
  base/file_handle_test.cc
  base/map_budget_test.cc
  base/new_file_test.cc
  base/store_test.cc
  base/task_shares_test.cc
  base/text_test.cc
  base/thread_pool_test.cc
  base/wide_number_test.cc
  base/write_guard_test.cc)

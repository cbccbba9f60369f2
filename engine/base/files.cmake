list(APPEND ENGINE_SOURCES
  base/file_handle.cc
  base/nearest_word.cc
  base/new_file.cc
  base/thread_pool.cc
  base/write_guard.cc)
list(APPEND ENGINE_TESTS
  base/file_handle_test.cc
  base/new_file_test.cc
  base/thread_pool_test.cc
  base/write_guard_test.cc)

list(APPEND ENGINE_SOURCES
  base/display_width.cc
  base/file_handle.cc
  base/map_budget.cc
  base/nearest_word.cc
  base/new_file.cc
  base/printable_text.cc
  base/text_depth.cc
  base/task_shares.cc
  base/thread_pool.cc
  base/usable_cpus.cc
  base/write_guard.cc)
list(APPEND ENGINE_TESTS
  base/display_width_test.cc
  base/file_handle_test.cc
  base/map_budget_test.cc
  base/nearest_word_test.cc
  base/new_file_test.cc
  base/printable_text_test.cc
  base/text_depth_test.cc
  base/task_shares_test.cc
  base/thread_pool_test.cc
  base/usable_cpus_test.cc
  base/wide_number_test.cc
  base/write_guard_test.cc)
# Alone, so that the other tests stay with their neighbours.
set_source_files_properties(base/display_width_test.cc base/map_budget_test.cc
  base/nearest_word_test.cc base/printable_text_test.cc base/text_depth_test.cc
  base/usable_cpus_test.cc base/wide_number_test.cc base/task_shares_test.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

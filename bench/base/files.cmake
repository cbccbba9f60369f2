list(APPEND BENCH_SOURCES
  base/bootstrap.cc
  base/child_process.cc
  base/guard.cc
  base/interrupt.cc
  base/lines.cc
  base/name_pattern.cc
  base/number_text.cc
  base/output_file.cc
  base/process_group.cc
  base/progress.cc
  base/report_error.cc
  base/statistics.cc
  base/text_sink.cc
  base/version.cc)
# The commit is looked up at every build and lands in one small file, so that a new commit compiles
# one source.
set(commit_dir ${CMAKE_CURRENT_BINARY_DIR}/commit)
add_custom_target(hdbench_commit
  COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
          -D COMMIT_HEADER=${commit_dir}/hdbench_commit.h
          -P ${CMAKE_CURRENT_SOURCE_DIR}/base/write_commit.cmake
  BYPRODUCTS ${commit_dir}/hdbench_commit.h VERBATIM)
set_source_files_properties(base/version.cc PROPERTIES
  INCLUDE_DIRECTORIES ${commit_dir} COMPILE_DEFINITIONS HDBENCH_VERSION="${PROJECT_VERSION}")
list(APPEND BENCH_TESTS
  base/bootstrap_test.cc
  base/interrupt_test.cc
  base/lines_test.cc
  base/name_pattern_test.cc
  base/number_text_test.cc
  base/output_file_test.cc
  base/progress_test.cc
  base/report_error_test.cc
  base/statistics_test.cc
  base/text_sink_test.cc
  base/version_test.cc)
list(APPEND IO_TESTS
  base/process_group_test.cc)
list(APPEND IO_MACHINE_TESTS
  base/child_process_test.cc
  base/guard_test.cc)

list(APPEND BENCH_SOURCES
  base/bootstrap.cc
  base/bus_error.cc
  base/interrupt.cc
  base/latency.cc
  base/line_walk.cc
  base/number_text.cc
  base/output_file.cc
  base/own_command.cc
  base/process_group.cc
  base/progress.cc
  base/report_error.cc
  base/statistics.cc
  base/text_sink.cc
  base/version.cc)
list(APPEND BENCH_TESTS
  base/bootstrap_test.cc
  base/bus_error_test.cc
  base/interrupt_test.cc
  base/line_walk_test.cc
  base/number_text_test.cc
  base/output_file_test.cc
  base/own_command_test.cc
  base/progress_test.cc
  base/report_error_test.cc
  base/statistics_test.cc
  base/text_sink_test.cc)
list(APPEND IO_TESTS
  base/latency_test.cc
  base/process_group_test.cc)

list(APPEND BENCH_SOURCES
  cli/abnormal_ends.cc
  cli/axis_flags.cc
  cli/command_advise.cc
  cli/command_compare.cc
  cli/command_describe.cc
  cli/command_gen.cc
  cli/command_import.cc
  cli/command_io.cc
  cli/command_limit.cc
  cli/command_line.cc
  cli/command_predict.cc
  cli/command_profile.cc
  cli/command_query.cc
  cli/command_report.cc
  cli/command_run.cc
  cli/command_topo.cc
  cli/command_verify.cc
  cli/flag_set.cc
  cli/kdb_flags.cc
  cli/machine_flags.cc
  cli/run_flags.cc)
list(APPEND BENCH_TESTS
  cli/abnormal_ends_test.cc
  cli/axis_flags_test.cc
  cli/flag_set_test.cc
  cli/run_flags_test.cc)
list(APPEND IO_TESTS
  cli/machine_flags_test.cc)

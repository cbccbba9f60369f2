hdbench_library(bench_report_text UNTIMED
  SOURCES
    report/text/ceiling_table.cc
    report/text/csv_report.cc
    report/text/markdown_report.cc
    report/text/peer_table.cc
    report/text/run_table.cc
    report/text/scaling_table.cc
    report/text/summary_report.cc
    report/text/terminal_report.cc
  LINKS hdbench_bench_report_answers)
list(APPEND BENCH_TESTS
  report/text/ceiling_table_test.cc
  report/text/peer_table_test.cc
  report/text/run_table_test.cc
  report/text/scaling_table_test.cc)
list(APPEND REPORT_TESTS
  report/text/summary_report_test.cc
  report/text/text_reports_test.cc)

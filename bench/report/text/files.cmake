hdbench_library(bench_report_text UNTIMED
  SOURCES
    report/text/csv_report.cc
    report/text/markdown_report.cc
    report/text/peer_text.cc
    report/text/summary_report.cc
  LINKS hdbench_bench_report_answers hdbench_bench_report_published)
list(APPEND REPORT_TESTS
  report/text/peer_text_test.cc
  report/text/summary_report_test.cc
  report/text/text_reports_test.cc)

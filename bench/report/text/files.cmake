list(APPEND BENCH_SOURCES
  report/text/csv_report.cc
  report/text/forecast_text.cc
  report/text/markdown_report.cc
  report/text/peer_text.cc
  report/text/ranks_text.cc
  report/text/summary_report.cc
  report/text/users_text.cc)
list(APPEND REPORT_TESTS
  report/text/forecast_text_test.cc
  report/text/peer_text_test.cc
  report/text/ranks_text_test.cc
  report/text/summary_report_test.cc
  report/text/text_reports_test.cc
  report/text/users_text_test.cc)

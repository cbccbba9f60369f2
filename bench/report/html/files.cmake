list(APPEND BENCH_SOURCES
  report/html/html_charts.cc
  report/html/html_context.cc
  report/html/html_page.cc
  report/html/html_text.cc
  report/html/html_verdict.cc
  report/html/io_page.cc
  report/html/page_model.cc
  report/html/published_storage.cc
  report/html/svg_chart.cc)
list(APPEND REPORT_TESTS
  report/html/html_page_test.cc
  report/html/io_page_test.cc
  report/html/svg_chart_test.cc)

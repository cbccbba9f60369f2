list(APPEND BENCH_SOURCES
  report/html/forecast_sections.cc
  report/html/html_charts.cc
  report/html/html_context.cc
  report/html/html_page.cc
  report/html/html_text.cc
  report/html/html_verdict.cc
  report/html/io_section.cc
  report/html/page_model.cc
  report/html/ranks_section.cc
  report/html/users_section.cc)
list(APPEND REPORT_TESTS
  report/html/forecast_sections_test.cc
  report/html/html_page_test.cc
  report/html/html_text_test.cc
  report/html/io_section_test.cc
  report/html/ranks_section_test.cc
  report/html/users_section_test.cc)

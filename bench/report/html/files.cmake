hdbench_library(bench_report_html
  SOURCES
    report/html/html_charts.cc
    report/html/html_context.cc
    report/html/html_page.cc
    report/html/html_text.cc
    report/html/html_verdict.cc
    report/html/io_page.cc
    report/html/page_model.cc
    report/html/published_storage.cc
    report/html/svg_chart.cc
  LINKS hdbench_bench_report_answers hdbench_bench_report_page hdbench_bench_report_published
        hdbench_bench_storage_filesystems)
list(APPEND REPORT_TESTS
  report/html/html_page_test.cc
  report/html/io_page_test.cc
  report/html/svg_chart_test.cc)

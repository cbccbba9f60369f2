hdbench_library(bench_report_html UNTIMED
  SOURCES
    report/html/html_charts.cc
    report/html/html_context.cc
    report/html/html_page.cc
    report/html/html_text.cc
    report/html/html_verdict.cc
    report/html/io_section.cc
    report/html/page_model.cc
  LINKS hdbench_bench_report_answers hdbench_bench_report_page hdbench_bench_report_published
        hdbench_bench_storage_filesystems)
list(APPEND REPORT_TESTS
  report/html/html_page_test.cc
  report/html/html_text_test.cc
  report/html/io_section_test.cc)

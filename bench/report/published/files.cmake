hdbench_library(bench_report_published
  SOURCES
    report/published/published.cc
  LINKS hdbench_bench_report_views)

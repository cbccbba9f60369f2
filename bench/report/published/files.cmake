hdbench_library(bench_report_published UNTIMED
  SOURCES
    report/published/published.cc
  LINKS hdbench_bench_report_views hdbench_queries)

list(APPEND BENCH_SOURCES
  report/views/device_curves.cc
  report/views/figure_text.cc
  report/views/forecast_view.cc
  report/views/limit_view.cc
  report/views/machine_view.cc
  report/views/paper_charts.cc
  report/views/peer_view.cc
  report/views/ranks_view.cc
  report/views/report_input.cc
  report/views/report_pivot.cc
  report/views/scaling_fit.cc
  report/views/thread_view.cc
  report/views/users_view.cc
  report/views/verdict.cc)
list(APPEND REPORT_TESTS
  report/views/device_curves_test.cc
  report/views/figure_text_test.cc
  report/views/forecast_view_test.cc
  report/views/machine_view_test.cc
  report/views/paper_charts_test.cc
  report/views/ranks_view_test.cc
  report/views/report_input_test.cc
  report/views/report_pivot_test.cc
  report/views/scaling_fit_test.cc
  report/views/verdict_test.cc
  report/views/users_view_test.cc
  report/views/view_test.cc)

# What results are held against, and how expressions are drawn.
list(APPEND ENGINE_TEST_HELPERS
  testing/plain_aggregates.cc
  testing/plain_cells.cc
  testing/plain_stages.cc
  testing/plain_windows.cc
  testing/random_expression.cc
  testing/row_evaluator.cc
  testing/row_reference.cc)

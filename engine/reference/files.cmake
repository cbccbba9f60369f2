list(APPEND ENGINE_TEST_HELPERS
  reference/plain_aggregates.cc
  reference/plain_cells.cc
  reference/plain_stages.cc
  reference/plain_windows.cc
  reference/row_reference.cc)

list(APPEND ENGINE_SOURCES
  shaping/null_element.cc
  shaping/result_schema.cc
  shaping/row_groups.cc
  shaping/row_joins.cc
  shaping/row_order.cc
  shaping/row_words.cc
  shaping/windows.cc)

list(APPEND ENGINE_SOURCES
  operator/access_path.cc
  operator/aggregator.cc
  operator/exact_sum.cc
  operator/extreme_aggregator.cc
  operator/filter.cc
  operator/float_aggregator.cc
  operator/gather.cc
  operator/group_index.cc
  operator/group_key.cc
  operator/group_rows.cc
  operator/group_sums.cc
  operator/integer_aggregator.cc
  operator/median_aggregator.cc
  operator/product_aggregator.cc
  operator/selected_median.cc
  operator/slot_reader.cc
  operator/split_adder.cc
  operator/touch_log.cc)
list(APPEND ENGINE_TESTS
  operator/access_path_test.cc
  operator/aggregator_test.cc
  operator/exact_sum_test.cc
  operator/group_index_test.cc
  operator/touch_log_test.cc)

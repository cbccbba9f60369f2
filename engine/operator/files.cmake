list(APPEND ENGINE_SOURCES
  operator/aggregator.cc
  operator/distinct_aggregator.cc
  operator/exact_sum.cc
  operator/extreme_aggregator.cc
  operator/filter.cc
  operator/float_aggregator.cc
  operator/gather.cc
  operator/group_index.cc
  operator/group_key.cc
  operator/group_aggregates.cc
  operator/integer_aggregator.cc
  operator/median_aggregator.cc
  operator/product_aggregator.cc
  operator/slot_reader.cc
  operator/unpacking.cc)
list(APPEND ENGINE_TESTS
  operator/filter_test.cc
  operator/aggregator_test.cc
  operator/exact_sum_test.cc
  operator/extreme_aggregator_test.cc
  operator/float_aggregator_test.cc
  operator/integer_aggregator_test.cc
  operator/median_aggregator_test.cc
  operator/product_aggregator_test.cc
  operator/slot_reader_test.cc
  operator/access_log_test.cc
  operator/unpacking_test.cc)

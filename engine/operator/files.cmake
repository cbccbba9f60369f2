list(APPEND ENGINE_SOURCES operator/aggregator.cc operator/exact_sum.cc operator/group_index.cc)
list(APPEND ENGINE_TESTS operator/exact_sum_test.cc operator/group_index_test.cc)

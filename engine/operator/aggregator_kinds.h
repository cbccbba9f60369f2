// Constructors of the aggregators, used by make_aggregator() only.
#pragma once

#include <memory>
#include <memory_resource>

#include "engine/column/type.h"
#include "engine/operator/aggregator.h"

namespace hdbench {

std::unique_ptr<Aggregator> make_extreme(QType type, bool is_max,
                                         std::pmr::memory_resource& resource);
// Of integers and temporals; sums wrap, as q's do, averages do not.
std::unique_ptr<Aggregator> make_integer_sum(QType type, std::pmr::memory_resource& resource);
std::unique_ptr<Aggregator> make_integer_average(QType type, std::pmr::memory_resource& resource);
std::unique_ptr<Aggregator> make_float_sum(QType type, std::pmr::memory_resource& resource);
std::unique_ptr<Aggregator> make_float_average(QType type, std::pmr::memory_resource& resource);
// dev: the population's standard deviation, from exact sums of values and squares.
std::unique_ptr<Aggregator> make_deviation(QType type, std::pmr::memory_resource& resource);
// weights wavg values: sum of products over sum of weights, pairs with a null left out.
std::unique_ptr<Aggregator> make_weighted_average(QType type, QType weights,
                                                  std::pmr::memory_resource& resource);
// med: keeps every value with its group, and finds the middle ones at the end.
std::unique_ptr<Aggregator> make_median(QType type, std::pmr::memory_resource& resource);

}  // namespace hdbench

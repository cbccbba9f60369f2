#include "engine/operator/aggregator.h"

#include <algorithm>

#include "engine/base/check.h"

namespace hdbench {
namespace {

bool is_number(QType type) {
  return type != QType::kSymbol && type != QType::kNested && type != QType::kGuid &&
         type != QType::kChar;
}

}  // namespace

bool aggregate_takes(Aggregate aggregate, QType type) {
  switch (aggregate) {
    case Aggregate::kNone:
    case Aggregate::kCount:
    case Aggregate::kFirst:
    case Aggregate::kLast:
    case Aggregate::kFirstRow: return true;
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kSum:
    case Aggregate::kAvg: return is_number(type) || type == QType::kChar;
    case Aggregate::kAny:
    case Aggregate::kAll: return type == QType::kBoolean;
    case Aggregate::kCountDistinct: return type != QType::kNested;
    default: return is_number(type);
  }
}

bool takes_values(Aggregate aggregate) {
  return aggregate != Aggregate::kNone && aggregate != Aggregate::kCount &&
         aggregate != Aggregate::kFirst && aggregate != Aggregate::kLast &&
         aggregate != Aggregate::kFirstRow;
}

bool needs_row_counts(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::kCount:
    case Aggregate::kAvg:
    case Aggregate::kDev:
    case Aggregate::kVar:
    case Aggregate::kSampleVar:
    case Aggregate::kSampleDev:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor: return true;
    default: return false;
  }
}

QType aggregate_type(Aggregate aggregate, QType type) {
  switch (aggregate) {
    case Aggregate::kCount:
    case Aggregate::kCountDistinct:
    case Aggregate::kFirstRow: return QType::kLong;
    case Aggregate::kAny:
    case Aggregate::kAll: return QType::kBoolean;
    case Aggregate::kSum: return type_width(type) <= 2 || type == QType::kInt ? QType::kLong : type;
    case Aggregate::kNone:
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kFirst:
    case Aggregate::kLast: return type;
    default: return QType::kFloat;
  }
}

std::unique_ptr<Aggregator> make_aggregator(Aggregate aggregate, QType type, QType weights,
                                            std::pmr::memory_resource& resource,
                                            std::uint64_t codes, const ValueRange* range) {
  HDB_CHECK(aggregate_takes(aggregate, type), "the binder lets only fitting types through");
  if (!takes_values(aggregate)) return nullptr;
  switch (aggregate) {
    case Aggregate::kMin:
    case Aggregate::kAll: return make_extreme(type, false, resource);
    case Aggregate::kMax:
    case Aggregate::kAny: return make_extreme(type, true, resource);
    case Aggregate::kSum:
    case Aggregate::kAvg:
      return is_floating(type) ? make_float_sum(aggregate, type, resource)
                               : make_integer_sum(aggregate, type, resource);
    case Aggregate::kCountDistinct: return make_distinct_count(type, codes, resource);
    case Aggregate::kMed: return make_median(type, range, resource);
    default: return make_product_sum(aggregate, type, weights, resource);
  }
}

void finish_groups(Aggregator& aggregator, std::span<const std::uint32_t> order,
                   std::span<const std::uint64_t> row_counts, std::size_t width, std::byte* results,
                   ThreadPool* pool) {
  aggregator.settle();
  const std::size_t groups = aggregator.groups_a_part();
  if (pool == nullptr || groups == 0 || order.size() <= groups)
    return aggregator.finish(order, row_counts, results);
  pool->run((order.size() + groups - 1) / groups, [&](std::size_t part, std::size_t) {
    const std::size_t begin = part * groups;
    const std::size_t count = std::min(groups, order.size() - begin);
    aggregator.finish(order.subspan(begin, count), row_counts, results + begin * width);
  });
}

}  // namespace hdbench

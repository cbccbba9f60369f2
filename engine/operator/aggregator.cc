#include "engine/operator/aggregator.h"

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
    case Aggregate::kCountDistinct: return true;
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kSum:
    case Aggregate::kAvg: return is_number(type) || type == QType::kChar;
    case Aggregate::kWavg:
    case Aggregate::kDev:
    case Aggregate::kMed:
    case Aggregate::kVar:
    case Aggregate::kSampleVar:
    case Aggregate::kSampleDev:
    case Aggregate::kWsum:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor:
    case Aggregate::kAny:
    case Aggregate::kAll: return is_number(type);
  }
  return false;
}

bool takes_values(Aggregate aggregate) {
  return aggregate != Aggregate::kNone && aggregate != Aggregate::kCount &&
         aggregate != Aggregate::kFirst && aggregate != Aggregate::kLast;
}

bool needs_row_counts(Aggregate aggregate) {
  return aggregate == Aggregate::kCount || aggregate == Aggregate::kAvg ||
         aggregate == Aggregate::kDev;
}

QType aggregate_type(Aggregate aggregate, QType type) {
  switch (aggregate) {
    case Aggregate::kCount:
    case Aggregate::kCountDistinct: return QType::kLong;
    case Aggregate::kAny:
    case Aggregate::kAll: return QType::kBoolean;
    case Aggregate::kAvg:
    case Aggregate::kWavg:
    case Aggregate::kDev:
    case Aggregate::kMed:
    case Aggregate::kVar:
    case Aggregate::kSampleVar:
    case Aggregate::kSampleDev:
    case Aggregate::kWsum:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor: return QType::kFloat;
    case Aggregate::kSum: return type_width(type) <= 2 || type == QType::kInt ? QType::kLong : type;
    case Aggregate::kNone:
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kFirst:
    case Aggregate::kLast: break;
  }
  return type;
}

std::unique_ptr<Aggregator> make_aggregator(Aggregate aggregate, QType type, QType weights,
                                            std::pmr::memory_resource& resource) {
  HDB_CHECK(aggregate_takes(aggregate, type), "the binder lets only fitting types through");
  switch (aggregate) {
    case Aggregate::kMin: return make_extreme(type, false, resource);
    case Aggregate::kMax: return make_extreme(type, true, resource);
    case Aggregate::kSum:
      return is_floating(type) ? make_float_sum(type, resource) : make_integer_sum(type, resource);
    case Aggregate::kAvg:
      return is_floating(type) ? make_float_average(type, resource)
                               : make_integer_average(type, resource);
    case Aggregate::kDev: return make_deviation(type, resource);
    case Aggregate::kWavg: return make_weighted_average(type, weights, resource);
    case Aggregate::kMed: return make_median(type, resource);
    case Aggregate::kNone:
    case Aggregate::kCount:
    case Aggregate::kFirst:
    case Aggregate::kLast:
    case Aggregate::kVar:
    case Aggregate::kSampleVar:
    case Aggregate::kSampleDev:
    case Aggregate::kWsum:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor:
    case Aggregate::kAny:
    case Aggregate::kAll:
    case Aggregate::kCountDistinct: break;
  }
  return nullptr;
}

}  // namespace hdbench

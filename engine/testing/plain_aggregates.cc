#include "engine/testing/plain_aggregates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace hdbench {
namespace {

__extension__ typedef __float128 Quad;

struct ReferencePair {
  Cell value;
  Cell weight;
};

Cell extreme(const std::vector<ReferencePair>& rows, QType type, bool is_max) {
  std::optional<Cell> best;
  for (const ReferencePair& row : rows) {
    if (row.value.is_null()) continue;
    if (!best || (is_max ? key_of(row.value) > key_of(*best) : key_of(row.value) < key_of(*best)))
      best = row.value;
  }
  if (best) {
    // -0.0 and 0.0 are one value; the aggregate gives 0.0.
    if (type == QType::kReal) return make_cell(type, static_cast<float>(best->number + 0.0));
    return is_floating(type) ? make_cell(type, best->number + 0.0) : *best;
  }
  const int sign = is_max ? -1 : 1;
  switch (type_width(type)) {
    case 1: return integer_cell(type, is_max ? 0 : 255);
    case 2: return integer_cell(type, sign * std::numeric_limits<std::int16_t>::max());
    case 4:
      if (type == QType::kReal)
        return make_cell(type, static_cast<float>(sign) * std::numeric_limits<float>::infinity());
      return integer_cell(type, sign * std::int64_t{std::numeric_limits<std::int32_t>::max()});
    default: break;
  }
  if (is_floating(type)) return make_cell(type, sign * std::numeric_limits<double>::infinity());
  return integer_cell(type, sign * std::numeric_limits<std::int64_t>::max());
}

Cell sum_of(const std::vector<ReferencePair>& rows, QType type) {
  Quad floats = 0;
  std::uint64_t integers = 0;
  for (const ReferencePair& row : rows) {
    if (row.value.is_null()) continue;
    floats += static_cast<Quad>(row.value.as_double());
    integers += static_cast<std::uint64_t>(row.value.integer);
  }
  if (type == QType::kReal) return make_cell(type, static_cast<float>(static_cast<double>(floats)));
  if (is_floating(type)) return make_cell(type, static_cast<double>(floats));
  return integer_cell(type_width(type) <= 2 || type == QType::kInt ? QType::kLong : type,
                      static_cast<std::int64_t>(integers));
}

bool is_of_a_sample(Aggregate aggregate) {
  return aggregate == Aggregate::kSampleVar || aggregate == Aggregate::kSampleDev ||
         aggregate == Aggregate::kSampleCov;
}

double mean_spread(Aggregate aggregate, Quad spread, Quad n) {
  const Quad divisor = is_of_a_sample(aggregate) ? n - 1 : n;
  return divisor <= 0 ? std::nan("") : static_cast<double>(spread / divisor);
}

Cell pair_aggregate(Aggregate aggregate, const std::vector<ReferencePair>& rows) {
  Quad n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const ReferencePair& row : rows) {
    if (row.value.is_null() || row.weight.is_null()) continue;
    const Quad value = static_cast<Quad>(row.value.as_double());
    const Quad weight = static_cast<Quad>(row.weight.as_double());
    n += 1;
    x += value;
    y += weight;
    xx += value * value;
    xy += value * weight;
    yy += weight * weight;
  }
  if (aggregate == Aggregate::kWsum) return make_cell(QType::kFloat, static_cast<double>(xy));
  const Quad spread = xy - x * y / n;
  if (aggregate != Aggregate::kCor)
    return make_cell(QType::kFloat, mean_spread(aggregate, spread, n));
  const auto of_squares = [&](Quad squares, Quad sum) {
    const Quad left = squares - sum * sum / n;
    return left <= squares * 0x1p-100 ? Quad{0} : left;
  };
  const Quad both = of_squares(xx, x) * of_squares(yy, y);
  const double root =
      both == 0 ? std::nan("") : std::sqrt(static_cast<double>(spread * spread / both));
  return make_cell(QType::kFloat, spread < 0 ? -root : root);
}

Cell distinct_count(const std::vector<ReferencePair>& rows) {
  std::set<std::string> texts;
  std::set<std::int64_t> keys;
  for (const ReferencePair& row : rows) {
    const QType type = row.value.type;
    if (type == QType::kGuid || type == QType::kSymbol) {
      texts.insert(row.value.bytes);
    } else {
      keys.insert(key_of(row.value));
    }
  }
  return integer_cell(QType::kLong, static_cast<std::int64_t>(texts.size() + keys.size()));
}

Cell any_or_all(Aggregate aggregate, const std::vector<ReferencePair>& rows) {
  const auto is_true = [](const ReferencePair& row) { return row.value.integer != 0; };
  const bool result = aggregate == Aggregate::kAny ? std::any_of(rows.begin(), rows.end(), is_true)
                                                   : std::all_of(rows.begin(), rows.end(), is_true);
  return integer_cell(QType::kBoolean, result);
}

Cell float_aggregate(Aggregate aggregate, const std::vector<ReferencePair>& rows) {
  Quad sum = 0;
  Quad squares = 0;
  Quad weights = 0;
  Quad products = 0;
  std::vector<double> values;
  for (const ReferencePair& row : rows) {
    if (row.value.is_null()) continue;
    const Quad value = static_cast<Quad>(row.value.as_double());
    values.push_back(row.value.as_double());
    const bool is_whole = aggregate == Aggregate::kAvg && !is_floating(row.value.type);
    sum += is_whole ? static_cast<Quad>(row.value.integer) : value;
    squares += value * value;
    if (aggregate != Aggregate::kWavg || row.weight.is_null()) continue;
    weights += static_cast<Quad>(row.weight.as_double());
    products += value * static_cast<Quad>(row.weight.as_double());
  }
  double result = std::numeric_limits<double>::quiet_NaN();
  const Quad n = static_cast<Quad>(values.size());
  if (aggregate == Aggregate::kWavg) {
    result = static_cast<double>(products) / static_cast<double>(weights);
  } else if (!values.empty() && aggregate == Aggregate::kAvg) {
    const bool exact = !is_floating(rows.front().value.type);
    result = exact ? static_cast<double>(sum / n)
                   : static_cast<double>(sum) / static_cast<double>(values.size());
  } else if (!values.empty() && aggregate != Aggregate::kMed) {
    const double mean = mean_spread(aggregate, squares - sum * sum / n, n);
    result = mean < 0 ? 0 : mean;  // of an infinity NaN
    if (aggregate == Aggregate::kDev || aggregate == Aggregate::kSampleDev)
      result = std::sqrt(result);
  } else if (!values.empty()) {
    // Nulls come first and count, but the mean of the two in the middle leaves them out.
    std::sort(values.begin(), values.end());
    values.insert(values.begin(), rows.size() - values.size(), std::nan(""));
    const std::size_t middle = values.size() / 2;
    // The sign of a zero in the middle would depend on the order of rows.
    const double upper = values[middle] + 0.0;
    const bool is_alone = values.size() % 2 != 0 || std::isnan(values[middle - 1]);
    result = is_alone ? upper : (values[middle - 1] + upper) / 2;
  }
  return make_cell(QType::kFloat, result);
}

}  // namespace

Cell aggregate_of_rows(const Output& output, QType type, const std::vector<Row>& rows) {
  if (output.aggregate == Aggregate::kCount) {
    return integer_cell(QType::kLong, static_cast<std::int64_t>(rows.size()));
  }
  if (rows.empty() &&
      (output.aggregate == Aggregate::kFirst || output.aggregate == Aggregate::kLast)) {
    return null_cell(type);
  }
  std::vector<ReferencePair> cells;
  for (const Row& row : rows)
    cells.push_back({row[*output.field], output.weights ? row[*output.weights] : Cell{}});
  switch (output.aggregate) {
    case Aggregate::kFirst: return cells.front().value;
    case Aggregate::kLast:
    case Aggregate::kNone: return cells.back().value;
    case Aggregate::kMin: return extreme(cells, type, false);
    case Aggregate::kMax: return extreme(cells, type, true);
    case Aggregate::kSum: return sum_of(cells, type);
    case Aggregate::kWsum:
    case Aggregate::kCov:
    case Aggregate::kSampleCov:
    case Aggregate::kCor: return pair_aggregate(output.aggregate, cells);
    case Aggregate::kAny:
    case Aggregate::kAll: return any_or_all(output.aggregate, cells);
    case Aggregate::kCountDistinct: return distinct_count(cells);
    default: return float_aggregate(output.aggregate, cells);
  }
}

}  // namespace hdbench

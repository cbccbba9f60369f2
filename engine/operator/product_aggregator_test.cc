#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/operator/aggregator.h"
#include "engine/operator/exact_sum.h"
#include "engine/testing/aggregator_checks.h"

using namespace hdbench;

namespace {

double deviation(const std::vector<double>& numbers) {
  return result_of(one_group(numbers), Aggregate::kDev);
}

double weighted_average(const std::vector<double>& weights, const std::vector<double>& numbers) {
  return result_of(one_group(numbers, weights), Aggregate::kWavg);
}

double of_floats(Aggregate aggregate, const std::vector<double>& numbers,
                 const std::vector<double>& weights = {}) {
  return result_of(one_group(numbers, weights), aggregate);
}

// Sums of two columns' values and products, of rows where neither is null.
struct PlainSums {
  PlainSums(const PackedValues& xs, const PackedValues& ys,
            const std::vector<std::size_t>& members) {
    for (const std::size_t row : members) {
      if (xs.is_null(row) || ys.is_null(row)) continue;
      x.add(xs.number(row));
      y.add(ys.number(row));
      products.add_product(xs.number(row), ys.number(row));
      ++count;
    }
  }
  Quad spread() const {
    const auto n = static_cast<Quad>(count);
    if (x.is_finite() && y.is_finite() && products.is_finite()) {
      const WideNumber whole(std::uint64_t{count});
      return static_cast<Quad>(whole * products.wide() - x.wide() * y.wide()) / n;
    }
    const auto quad = [](const ExactSum& sum) {
      return sum.is_finite() ? static_cast<Quad>(sum.wide()) : static_cast<Quad>(sum.rounded());
    };
    return quad(products) - quad(x) * quad(y) / n;
  }
  double mean_spread(std::size_t taken_off) const {
    if (count <= taken_off) return std::nan("");
    return static_cast<double>(spread() / static_cast<Quad>(count - taken_off));
  }

  ExactSum x, y, products;
  std::size_t count = 0;
};

double plain_deviation(const PackedValues& values, const std::vector<std::size_t>& members,
                       Aggregate aggregate) {
  const bool is_sample = aggregate == Aggregate::kSampleDev || aggregate == Aggregate::kSampleVar;
  const double mean = PlainSums(values, values, members).mean_spread(is_sample ? 1 : 0);
  const double variance = mean < 0 ? 0 : mean;  // of an infinity NaN
  const bool is_root = aggregate == Aggregate::kDev || aggregate == Aggregate::kSampleDev;
  return is_root ? std::sqrt(variance) : variance;
}

double plain_pair(Aggregate aggregate, const GroupedRows& rows,
                  const std::vector<std::size_t>& members) {
  const PlainSums sums(rows.values, rows.weights, members);
  if (aggregate == Aggregate::kWsum) return sums.products.rounded();
  if (aggregate == Aggregate::kWavg) return sums.products.rounded() / sums.y.rounded();
  if (aggregate == Aggregate::kCov) return sums.mean_spread(0);
  if (aggregate == Aggregate::kSampleCov) return sums.mean_spread(1);
  std::vector<std::size_t> pairs = members;
  std::erase_if(pairs, [&](std::size_t row) {
    return rows.values.is_null(row) || rows.weights.is_null(row);
  });
  const auto of_squares = [&](const PackedValues& values) {
    const PlainSums squares(values, values, pairs);
    const ExactSum& products = squares.products;
    const Quad all = products.is_finite() ? static_cast<Quad>(products.wide())
                                          : static_cast<Quad>(products.rounded());
    const bool is_rounding = squares.spread() <= all * Quad{0x1p-100};
    return is_rounding ? Quad{0} : squares.spread();
  };
  const Quad both = of_squares(rows.values) * of_squares(rows.weights);
  if (both == 0) return std::nan("");
  const double root = std::sqrt(static_cast<double>(sums.spread() * sums.spread() / both));
  return sums.spread() < 0 ? -root : root;
}

// Integers up to a million: quantities, as weights mostly are; a few are null.
PackedValues quantities(QType type, std::size_t count, std::mt19937_64& random) {
  PackedValues values{type, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t quantity = random() % (type_width(type) == 2 ? 30000 : 1000001);
    if (is_floating(type)) {
      const double number = random() % 50 == 0 ? std::nan("") : static_cast<double>(quantity);
      if (type == QType::kReal) values.push_back(static_cast<float>(number));
      if (type != QType::kReal) values.push_back(number);
    } else {
      const int bits = 8 * static_cast<int>(type_width(type));
      values.push_back(random() % 50 == 0 ? std::uint64_t{1} << (bits - 1) : quantity);
    }
  }
  return values;
}

// Of many groups exact sums of any magnitude take long: two types represent all.
bool is_taken(QType type, std::size_t groups) {
  return groups <= 256 || type == QType::kLong || type == QType::kFloat;
}

}  // namespace

TEST_CASE("dev and wavg of nothing and of nulls are null") {
  const double null = std::nan("");
  REQUIRE(std::isnan(deviation({})));
  REQUIRE(std::isnan(deviation({null, null})));
  REQUIRE(std::isnan(weighted_average({}, {})));
  REQUIRE(std::isnan(weighted_average({null, 1}, {1, null})));
  REQUIRE(std::isnan(weighted_average({0, 0}, {1, 2})));
}

TEST_CASE("dev is the population's and does not cancel") {
  REQUIRE(deviation({2, 4, 4, 4, 5, 5, 7, 9}) == 2);
  REQUIRE(deviation({1e9 + 1, 1e9 + 2, 1e9 + 3}) == std::sqrt(2.0 / 3.0));
  REQUIRE(deviation({0.1, 0.1, 0.1}) == 0);
  REQUIRE(deviation({1e15, 1e15 + 1}) == 0.5);
}

TEST_CASE("wavg leaves out pairs with a null on either side") {
  const double null = std::nan("");
  REQUIRE(weighted_average({1, 5, 3, null}, {10, null, 30, 40}) == 25);
  REQUIRE(weighted_average({1e100, 1, -1e100}, {7, 3, 7}) == 3);
}

TEST_CASE("many products of all their bits cancel") {
  std::mt19937_64 random(7);
  std::vector<double> numbers = cancelling_doubles(300000, random);
  numbers.push_back(0x1p-30);
  for (const double other : {1048575.0, 0x1.fffffffffffffp0}) {
    const std::vector<double> others(numbers.size(), other);
    REQUIRE(weighted_average(others, numbers) ==
            other * 0x1p-30 / (other * static_cast<double>(numbers.size())));
    REQUIRE(weighted_average(numbers, others) == other);
  }
}

TEST_CASE("var, and those of samples, which a single value has not") {
  const std::vector<double> numbers{2, 4, 4, 4, 5, 5, 7, 9};
  REQUIRE(of_floats(Aggregate::kVar, numbers) == 4);
  REQUIRE(of_floats(Aggregate::kSampleVar, numbers) == 32.0 / 7);
  REQUIRE(of_floats(Aggregate::kSampleDev, numbers) == std::sqrt(32.0 / 7));
  for (const Aggregate aggregate :
       {Aggregate::kVar, Aggregate::kSampleVar, Aggregate::kSampleDev}) {
    REQUIRE(std::isnan(of_floats(aggregate, {})));
    REQUIRE(std::isnan(of_floats(aggregate, {3, std::nan("")})) == (aggregate != Aggregate::kVar));
  }
}

TEST_CASE("wsum, cov and cor leave out pairs with a null on either side") {
  const double null = std::nan("");
  const std::vector<double> x{1, 5, 2, null, 3};
  const std::vector<double> y{2, null, 4, 9, 7};
  REQUIRE(of_floats(Aggregate::kWsum, x, y) == 31);
  REQUIRE(of_floats(Aggregate::kCov, x, y) == 5.0 / 3);
  REQUIRE(of_floats(Aggregate::kSampleCov, x, y) == 2.5);
  REQUIRE(of_floats(Aggregate::kCor, {1, 2, 3}, {2, 4, 6}) == 1);
  REQUIRE(of_floats(Aggregate::kCor, {1, 2, 3}, {0.3, 0.2, 0.1}) == Approx(-1).epsilon(1e-15));
}

TEST_CASE("of nothing wsum is 0, cov and cor are null, and so is cor of equal values") {
  REQUIRE(of_floats(Aggregate::kWsum, {}) == 0);
  for (const Aggregate aggregate : {Aggregate::kCov, Aggregate::kSampleCov, Aggregate::kCor})
    REQUIRE(std::isnan(of_floats(aggregate, {})));
  const std::vector<double> equal(1000, 0.1);
  std::vector<double> rising(1000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i) / 7;
  REQUIRE(std::isnan(of_floats(Aggregate::kCor, equal, rising)));
  REQUIRE(std::isnan(of_floats(Aggregate::kSampleCov, {1}, {2})));
}

TEST_CASE("dev, var and their kin are of exact sums for every type and number of groups") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kNumberTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      if (!is_taken(type, groups)) continue;
      const GroupedRows rows = adversarial_rows(type, groups, random);
      for (const Aggregate aggregate :
           {Aggregate::kDev, Aggregate::kVar, Aggregate::kSampleVar, Aggregate::kSampleDev}) {
        if (groups > 4097 && aggregate != Aggregate::kDev) continue;
        check_groups<double>(rows, aggregate_of(aggregate, type), random, [&](const auto& members) {
          return plain_deviation(rows.values, members, aggregate);
        });
      }
    }
  }
}

TEST_CASE("wavg, wsum, cov and cor are of exact sums for every pair of types") {
  for (const std::size_t groups : kGroupCounts) {
    for (const QType type : kNumberTypes) {
      std::mt19937_64 random(groups + static_cast<std::size_t>(type));
      if (!is_taken(type, groups)) continue;
      GroupedRows rows = adversarial_rows(type, groups, random);
      const QType weights = kNumberTypes[random() % std::size(kNumberTypes)];
      const std::size_t count = rows.groups.size();
      for (const Aggregate aggregate : {Aggregate::kWavg, Aggregate::kWsum, Aggregate::kCov,
                                        Aggregate::kSampleCov, Aggregate::kCor}) {
        if (groups > 4097 && aggregate != Aggregate::kWavg) continue;
        const bool are_quantities = type_width(weights) > 1 && random() % 4 != 0;
        rows.weights = are_quantities ? quantities(weights, count, random)
                                      : adversarial_values(weights, count, random);
        check_groups<double>(
            rows, aggregate_of(aggregate, type, weights), random,
            [&](const auto& members) { return plain_pair(aggregate, rows, members); });
      }
    }
  }
}

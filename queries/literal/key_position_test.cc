#include "queries/literal/key_position.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/calendar.h"
#include "engine/column/order_key.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr double kNanValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfiniteValue = std::numeric_limits<double>::infinity();

Atom integer_atom(QType type, std::int64_t value) { return {type, value, 0}; }
Atom real_atom(QType type, double value) { return {type, value, 0}; }

bool passes(const RangeTest& range, std::int64_t key) {
  return range.low <= key && key <= range.high;
}

RangeTest equal_range(const KeyPosition& position) {
  return range_of(Comparison::kEqual, QType::kLong, position);
}
RangeTest less_range(QType column, const KeyPosition& position) {
  return range_of(Comparison::kLess, column, position);
}
RangeTest less_equal_range(QType column, const KeyPosition& position) {
  return range_of(Comparison::kLessEqual, column, position);
}
RangeTest greater_range(QType column, const KeyPosition& position) {
  return range_of(Comparison::kGreater, column, position);
}
RangeTest greater_equal_range(QType column, const KeyPosition& position) {
  return range_of(Comparison::kGreaterEqual, column, position);
}

bool same(const RangeTest& a, const RangeTest& b) { return a.low == b.low && a.high == b.high; }

// A value to compare by, nulls first: exact for every number and every moment in range, because a
// long double holds 64 bits here.
struct Rank {
  bool is_null = false;
  long double value = 0;
};
static_assert(std::numeric_limits<long double>::digits >= 64);

int compare(const Rank& a, const Rank& b) {
  if (a.is_null || b.is_null) return static_cast<int>(b.is_null) - static_cast<int>(a.is_null);
  return a.value < b.value ? -1 : (a.value > b.value ? 1 : 0);
}

// Nanoseconds in long double: exact while fewer than 2^64, which the random moments below keep to.
Rank rank_of(const Atom& atom) {
  if (is_null(atom)) return {true, 0};
  if (const auto* floating = std::get_if<double>(&atom.value)) return {false, *floating};
  const auto value = std::get<std::int64_t>(atom.value);
  const auto wide = static_cast<long double>(value);
  switch (atom.type) {
    case QType::kDate: return {false, wide * static_cast<long double>(kNsPerDay)};
    case QType::kMonth: {
      const std::int64_t year = 2000 + (value + 12000) / 12 - 1000;
      const std::int64_t days = days_from_civil({year, static_cast<int>((value + 12000) % 12) + 1});
      return {false, static_cast<long double>(days) * static_cast<long double>(kNsPerDay)};
    }
    case QType::kTime:
    case QType::kSecond:
    case QType::kMinute: return {false, wide * static_cast<long double>(span_unit_ns(atom.type))};
    default: return {false, wide};
  }
}

// The key of an element whose value is the atom's.
std::int64_t key_of(const Atom& element) {
  if (const auto* floating = std::get_if<double>(&element.value)) return float_order_key(*floating);
  if (!is_null(element)) return std::get<std::int64_t>(element.value);
  const std::uint32_t width = type_width(element.type);
  return width == 2 ? kNullShort : (width == 4 ? kNullInt : kNullLong);
}

class Random {
 public:
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit));
  }

  // A value of the type: near zero, near the type's ends, near 2^53, or null.
  Atom number(QType type) {
    if (is_floating(type)) {
      double value = floating();
      if (type == QType::kReal) value = static_cast<double>(static_cast<float>(value));
      return real_atom(type, value);
    }
    if (type == QType::kBoolean) return integer_atom(type, below(2));
    if (type == QType::kByte) return integer_atom(type, below(256));
    const std::int64_t limit =
        type == QType::kShort ? 32767 : (type == QType::kInt ? kInfiniteInt : kHighest);
    switch (below(6)) {
      case 0: return integer_atom(type, kNullLong);
      case 1: return integer_atom(type, limit - below(3));
      case 2: return integer_atom(type, -limit + below(3));
      case 3:
        if (type == QType::kLong) return integer_atom(type, (std::int64_t{1} << 53) + below(5) - 2);
        [[fallthrough]];
      default: return integer_atom(type, below(7) - 3);
    }
  }

  double floating() {
    static const std::vector<double> kEdges = {kNanValue,
                                               kInfiniteValue,
                                               -kInfiniteValue,
                                               0.0,
                                               -0.0,
                                               5e-324,
                                               -5e-324,
                                               9223372036854775808.0,
                                               -9223372036854775808.0,
                                               9223372036854774784.0,
                                               32767,
                                               32768,
                                               -32768,
                                               -32767.5,
                                               2147483647,
                                               2147483647.5,
                                               -2147483648.0,
                                               9007199254740992,
                                               9007199254740994,
                                               255,
                                               256,
                                               -0.5,
                                               1e300,
                                               -1e300,
                                               1e39};
    if (below(2) == 0)
      return kEdges[static_cast<std::size_t>(below(static_cast<std::int64_t>(kEdges.size())))];
    return static_cast<double>(below(29) - 14) / 4;
  }

  // A date, month or timestamp, or a span, close enough to others of its family to meet them.
  Atom temporal(QType type) {
    if (below(8) == 0) return integer_atom(type, kNullLong);
    const std::int64_t step = below(3) - 1;
    switch (type) {
      case QType::kDate: return integer_atom(type, below(100) - 50);
      case QType::kMonth: return integer_atom(type, below(5) - 2);
      case QType::kTimestamp: return integer_atom(type, (below(100) - 50) * kNsPerDay + step);
      case QType::kMinute: return integer_atom(type, below(5) - 2);
      case QType::kSecond: return integer_atom(type, below(5) * 30 - 60 + step);
      case QType::kTime: return integer_atom(type, below(5) * 30'000 - 60'000 + step);
      default: return integer_atom(type, (below(5) * 30 - 60) * kNsPerSecond + step);
    }
  }

 private:
  std::mt19937_64 engine_{20200107};
};

void check_against_ranks(QType column, const Atom& element, const Atom& low, const Atom& high) {
  const std::int64_t key = key_of(element);
  const KeyPosition placed = place(column, low);
  const int order = compare(rank_of(element), rank_of(low));
  REQUIRE(passes(equal_range(placed), key) == (order == 0));
  REQUIRE(passes(less_range(column, placed), key) == (order < 0));
  REQUIRE(passes(less_equal_range(column, placed), key) == (order <= 0));
  REQUIRE(passes(greater_range(column, placed), key) == (order > 0));
  REQUIRE(passes(greater_equal_range(column, placed), key) == (order >= 0));
  const int high_order = compare(rank_of(element), rank_of(high));
  REQUIRE(passes(range_of(Comparison::kWithin, column, placed, place(column, high)), key) ==
          (order >= 0 && high_order <= 0));
}

}  // namespace

TEST_CASE("numbers of every two types compare by value") {
  Random random;
  const QType types[] = {QType::kBoolean, QType::kByte, QType::kShort, QType::kInt,
                         QType::kLong,    QType::kReal, QType::kFloat};
  for (const QType column : types) {
    for (const QType literal : types) {
      INFO(type_name(column) << " column, " << type_name(literal) << " literal");
      for (int round = 0; round < 2000; ++round) {
        check_against_ranks(column, random.number(column), random.number(literal),
                            random.number(literal));
      }
    }
  }
}

TEST_CASE("dates, months and timestamps compare as instants, spans in nanoseconds") {
  Random random;
  const QType instants[] = {QType::kDate, QType::kMonth, QType::kTimestamp};
  const QType spans[] = {QType::kTimespan, QType::kTime, QType::kSecond, QType::kMinute};
  const auto check_family = [&](const auto& types) {
    for (const QType column : types) {
      for (const QType literal : types) {
        INFO(type_name(column) << " column, " << type_name(literal) << " literal");
        for (int round = 0; round < 2000; ++round) {
          check_against_ranks(column, random.temporal(column), random.temporal(literal),
                              random.temporal(literal));
        }
      }
    }
  };
  check_family(instants);
  check_family(spans);
}

TEST_CASE("datetimes meet the other instants") {
  const Atom noon = real_atom(QType::kDatetime, 7311.5);
  const KeyPosition in_dates = place(QType::kDate, noon);
  CHECK(same(less_range(QType::kDate, in_dates), {kLowest, 7311}));
  const std::int64_t ns = 7311 * kNsPerDay + kNsPerDay / 2;
  CHECK(same(equal_range(place(QType::kTimestamp, noon)), {ns, ns}));
  const std::int64_t key = float_order_key(7311.5);
  CHECK(
      same(equal_range(place(QType::kDatetime, integer_atom(QType::kTimestamp, ns))), {key, key}));
  CHECK(same(equal_range(place(QType::kDatetime, integer_atom(QType::kDate, 7311))),
             {float_order_key(7311), float_order_key(7311)}));
  const Atom tenth = real_atom(QType::kDatetime, 7311.0 + 34200123.0 / 86400000.0);
  const std::int64_t tenth_ns = 7311 * kNsPerDay + 34200123 * kNsPerMs;
  CHECK(same(equal_range(place(QType::kTimestamp, tenth)), {tenth_ns, tenth_ns}));
  const std::int64_t tenth_key = float_order_key(std::get<double>(tenth.value));
  CHECK(same(equal_range(place(QType::kDatetime, integer_atom(QType::kTimestamp, tenth_ns))),
             {tenth_key, tenth_key}));
}

TEST_CASE("infinite moments are the column's own infinities") {
  const Atom forever = integer_atom(QType::kDate, kInfinity);
  CHECK(same(equal_range(place(QType::kTimestamp, forever)), {kHighest, kHighest}));
  CHECK(same(equal_range(place(QType::kDate, integer_atom(QType::kTimestamp, kInfinity))),
             {kInfiniteInt, kInfiniteInt}));
  CHECK(same(equal_range(place(QType::kDatetime, forever)),
             {float_order_key(kInfiniteValue), float_order_key(kInfiniteValue)}));
  CHECK(same(
      less_equal_range(QType::kTime, place(QType::kTime, integer_atom(QType::kMinute, kInfinity))),
      {kLowest, kHighest}));
  CHECK(same(equal_range(place(QType::kMinute, integer_atom(QType::kTimespan, -kInfinity))),
             {-kInfiniteInt, -kInfiniteInt}));
}

TEST_CASE("a day that no timestamp reaches lies between the finite ones and infinity") {
  const KeyPosition far = place(QType::kTimestamp, integer_atom(QType::kDate, 2'000'000));
  CHECK(same(greater_range(QType::kTimestamp, far), {kHighest, kHighest}));
  CHECK(same(equal_range(far), kEmptyRange));
  const KeyPosition past = place(QType::kTimestamp, integer_atom(QType::kDate, -700'000));
  CHECK(same(less_range(QType::kTimestamp, past), {kLowest, -kHighest}));
  const KeyPosition long_span =
      place(QType::kTime, integer_atom(QType::kTimespan, 100'000 * kNsPerDay));
  CHECK(same(greater_range(QType::kTime, long_span), {kInfiniteInt, kHighest}));
}

TEST_CASE("spans beyond a column's type lie beyond all its values") {
  const Atom far{QType::kMinute, std::int64_t{2147483646}, 0};
  CHECK(less_range(QType::kTimespan, place(QType::kTimespan, far)).high > (INT64_MAX >> 1));
  CHECK(equal_range(place(QType::kTimespan, far)).low >
        equal_range(place(QType::kTimespan, far)).high);
  const Atom near{QType::kMinute, std::int64_t{-90}, 0};
  CHECK(place(QType::kTime, near).floor == -90 * 60000);
}

}  // namespace hdbench::queries

#include "queries/expression/expression_types.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::queries {
namespace {

const std::vector<QType>& all_types() {
  static const std::vector<QType> kTypes = {
      QType::kNested,    QType::kBoolean, QType::kGuid, QType::kByte,     QType::kShort,
      QType::kInt,       QType::kLong,    QType::kReal, QType::kFloat,    QType::kChar,
      QType::kTimestamp, QType::kMonth,   QType::kDate, QType::kDatetime, QType::kTimespan,
      QType::kMinute,    QType::kSecond,  QType::kTime, QType::kSymbol};
  return kTypes;
}

// timestamp+timespan=timestamp, with what the arguments become; nothing: 'type.
std::string shown(Operation operation, QType x, QType y) {
  const auto types = arithmetic_types(operation, x, y);
  if (!types) return "'type";
  return fmt::format("{} {} {}", type_name(types->left), type_name(types->right),
                     type_name(types->result));
}

}  // namespace

TEST_CASE("numbers below int are ints, else the wider one counts") {
  const std::vector<QType> numbers = {QType::kBoolean, QType::kByte, QType::kShort, QType::kInt,
                                      QType::kLong,    QType::kReal, QType::kFloat};
  for (const Operation operation : {Operation::kAdd, Operation::kSubtract, Operation::kMultiply,
                                    Operation::kIntegerDivide, Operation::kModulo}) {
    for (const QType x : numbers) {
      for (const QType y : numbers) {
        const QType wide = std::max({x, y, QType::kInt});
        CHECK(arithmetic_types(operation, x, y) == PairTypes{wide, wide, wide});
      }
    }
  }
}

TEST_CASE("temporals add and subtract as q has them") {
  const auto add = [](QType x, QType y) { return shown(Operation::kAdd, x, y); };
  const auto subtract = [](QType x, QType y) { return shown(Operation::kSubtract, x, y); };
  CHECK(add(QType::kDate, QType::kLong) == "date int date");
  CHECK(add(QType::kInt, QType::kDate) == "int date date");
  CHECK(add(QType::kDate, QType::kTimespan) == "timestamp timespan timestamp");
  CHECK(add(QType::kTimestamp, QType::kMinute) == "timestamp timespan timestamp");
  CHECK(add(QType::kTimestamp, QType::kInt) == "timestamp long timestamp");
  CHECK(add(QType::kTime, QType::kMinute) == "time time time");
  CHECK(add(QType::kMinute, QType::kLong) == "minute int minute");
  CHECK(add(QType::kDatetime, QType::kFloat) == "datetime float datetime");
  CHECK(add(QType::kDate, QType::kDate) == "'type");
  CHECK(add(QType::kDate, QType::kFloat) == "'type");
  CHECK(add(QType::kMonth, QType::kTime) == "'type");
  CHECK(subtract(QType::kTimestamp, QType::kTimestamp) == "timestamp timestamp timespan");
  CHECK(subtract(QType::kTimestamp, QType::kDate) == "timestamp timestamp timespan");
  CHECK(subtract(QType::kDate, QType::kDate) == "date date int");
  CHECK(subtract(QType::kMonth, QType::kMonth) == "month month int");
  CHECK(subtract(QType::kTime, QType::kTimespan) == "timespan timespan timespan");
  CHECK(subtract(QType::kDate, QType::kLong) == "date int date");
  CHECK(subtract(QType::kLong, QType::kDate) == "'type");
}

TEST_CASE("two types compare in one of them, whichever comes first") {
  for (const QType x : all_types()) {
    for (const QType y : all_types()) {
      INFO(type_name(x) << " " << type_name(y));
      CHECK(comparable_type(x, y) == comparable_type(y, x));
      CHECK(common_type(x, y) == common_type(y, x));
      if (common_type(x, y)) CHECK(can_cast(x, *common_type(x, y)) == (x != QType::kChar));
    }
  }
  CHECK(comparable_type(QType::kTimestamp, QType::kMinute) == QType::kMinute);
  CHECK(comparable_type(QType::kTimespan, QType::kMinute) == QType::kTimespan);
  CHECK(comparable_type(QType::kDate, QType::kTimestamp) == QType::kTimestamp);
  CHECK(comparable_type(QType::kDate, QType::kLong) == QType::kLong);
  CHECK(comparable_type(QType::kTime, QType::kShort) == QType::kInt);
  CHECK(comparable_type(QType::kMonth, QType::kDate) == QType::kDate);
  CHECK(comparable_type(QType::kShort, QType::kShort) == QType::kShort);
  CHECK(comparable_type(QType::kBoolean, QType::kByte) == QType::kInt);
  CHECK(comparable_type(QType::kDate, QType::kTime) == std::nullopt);
  CHECK(comparable_type(QType::kDate, QType::kFloat) == std::nullopt);
  CHECK(comparable_type(QType::kChar, QType::kLong) == std::nullopt);
  CHECK(comparable_type(QType::kSymbol, QType::kSymbol) == std::nullopt);
  CHECK(comparable_type(QType::kGuid, QType::kGuid) == std::nullopt);
}

TEST_CASE("mm is the month of an instant and the minute of a span") {
  CHECK(temporal_part("mm", QType::kDate)->operation == Operation::kMonthOfYear);
  CHECK(temporal_part("mm", QType::kTimestamp)->operation == Operation::kMonthOfYear);
  CHECK(temporal_part("mm", QType::kTime)->operation == Operation::kMinuteOfHour);
  CHECK(temporal_part("uu", QType::kTimestamp)->operation == Operation::kMinuteOfHour);
}

TEST_CASE("a day has no hours and a time no year") {
  CHECK_FALSE(temporal_part("hh", QType::kDate));
  CHECK_FALSE(temporal_part("year", QType::kTime));
  CHECK_FALSE(temporal_part("minute", QType::kLong));
  CHECK(temporal_part("minute", QType::kTimestamp)->type == QType::kMinute);
  CHECK(temporal_part("hh", QType::kDatetime)->type == QType::kInt);
  CHECK(is_temporal_part("dd"));
  CHECK_FALSE(is_temporal_part("weekday"));
  CHECK_FALSE(is_temporal_part(""));
}

}  // namespace hdbench::queries

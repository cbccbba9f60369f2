#include "queries/literal/literal_comparison.h"

#include <string>

#include "engine/base/catch.h"
#include "queries/literal/key_position.h"

namespace hdbench::queries {
namespace {

LiteralComparison with(Comparison comparison, QType type, std::int64_t value) {
  Literal literal{type, false, {}, 0, 0};
  literal.atoms.push_back({type, value, 0});
  return {comparison, 0, std::move(literal)};
}

RangeTest range(QType subject, const LiteralComparison& comparison) {
  const auto test = bind_literal_test({"x", subject, nullptr}, comparison);
  if (!test.ok()) FAIL(test.error().message);
  return std::get<RangeTest>(*test);
}

std::string refused(QType subject, const LiteralComparison& comparison) {
  const auto test = bind_literal_test({"x", subject, nullptr}, comparison);
  return test.ok() ? "accepted" : test.error().message;
}

}  // namespace

TEST_CASE("comparisons are known by their names, and turned around") {
  CHECK(comparison_of("<=") == Comparison::kLessEqual);
  CHECK(comparison_of("within") == Comparison::kWithin);
  CHECK(comparison_of("+") == std::nullopt);
  CHECK(comparison_of("") == std::nullopt);
  CHECK(flipped(Comparison::kLess) == Comparison::kGreater);
  CHECK(flipped(Comparison::kGreaterEqual) == Comparison::kLessEqual);
  CHECK(flipped(Comparison::kNotEqual) == Comparison::kNotEqual);
  CHECK(flipped(Comparison::kIn) == std::nullopt);
}

TEST_CASE("an integer meets a temporal by its number, its null by null") {
  CHECK(range(QType::kMonth, with(Comparison::kEqual, QType::kLong, 240)).low == 240);
  CHECK(range(QType::kMonth, with(Comparison::kEqual, QType::kLong, kNullLong)).low == kNullInt);
  CHECK(range(QType::kTimestamp, with(Comparison::kEqual, QType::kInt, -5)).high == -5);
  CHECK(range(QType::kLong, with(Comparison::kEqual, QType::kDate, 3)).low == 3);
  const RangeTest beyond = range(QType::kDate, with(Comparison::kLess, QType::kLong, 1LL << 40));
  CHECK(beyond.low <= kNullInt);
  CHECK(beyond.high >= INT32_MAX);
}

TEST_CASE("a timestamp meets a time as the time of its day") {
  constexpr std::int64_t kDay = 86'400'000'000'000;
  const auto time = [](std::int64_t ns) {
    return range(QType::kTime, with(Comparison::kEqual, QType::kTimestamp, ns)).low;
  };
  CHECK(time(5 * kDay + 1'500'000) == 1);
  CHECK(time(-kDay + 2'000'000) == 2);
  CHECK(time(-1) == 86'399'999);
  CHECK(time(kNullLong) == kNullInt);
}

TEST_CASE("what does not compare names both types") {
  CHECK(refused(QType::kBoolean, with(Comparison::kEqual, QType::kDate, 3)) ==
        "'type: x is a boolean, the value is a date");
  CHECK(refused(QType::kTime, with(Comparison::kEqual, QType::kDate, 3)) ==
        "'type: x is a time, the value is a date");
  CHECK(refused(QType::kDate, with(Comparison::kEqual, QType::kMinute, 3)) ==
        "'type: x is a date, the value is a minute");
}

}  // namespace hdbench::queries

#include "queries/literal/number_literal.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::queries {
namespace {

Result<Literal> read(const std::string& text) {
  auto tokens = lex(text);
  REQUIRE(tokens.ok());
  tokens->pop_back();
  for (const Token& token : *tokens) REQUIRE(token.kind == TokenKind::kNumber);
  return read_numbers(*tokens);
}

Literal good(const std::string& text) {
  INFO(text);
  auto literal = read(text);
  if (!literal.ok()) FAIL(literal.error().message);
  return *literal;
}

Error bad(const std::string& text) {
  INFO(text);
  const auto literal = read(text);
  if (literal.ok()) FAIL("accepted " << text);
  return literal.error();
}

void check_integer(const std::string& text, QType type, std::int64_t value) {
  INFO(text);
  const Literal literal = good(text);
  CHECK_FALSE(literal.is_list);
  CHECK(literal.type == type);
  CHECK(std::get<std::int64_t>(literal.atoms.at(0).value) == value);
}

void check_float(const std::string& text, QType type, double value) {
  INFO(text);
  const Literal literal = good(text);
  CHECK(literal.type == type);
  const double found = std::get<double>(literal.atoms.at(0).value);
  if (value != value) {
    CHECK(found != found);
  } else {
    CHECK(found == value);
  }
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("integers are longs unless their suffix says otherwise") {
  check_integer("5", QType::kLong, 5);
  check_integer("-5", QType::kLong, -5);
  check_integer("5j", QType::kLong, 5);
  check_integer("5i", QType::kInt, 5);
  check_integer("5h", QType::kShort, 5);
  check_integer("007", QType::kLong, 7);
  check_integer("9223372036854775807", QType::kLong, kInfinity);
}

TEST_CASE("floats and reals") {
  check_float("1.5", QType::kFloat, 1.5);
  check_float("1f", QType::kFloat, 1);
  check_float("1e5", QType::kFloat, 100000);
  check_float("1e-5", QType::kFloat, 1e-5);
  check_float("1.", QType::kFloat, 1);
  check_float(".5", QType::kFloat, 0.5);
  check_float("-.5", QType::kFloat, -0.5);
  check_float("1e5f", QType::kFloat, 100000);
  check_float("1e", QType::kReal, 1);
  check_float("1.1e", QType::kReal, static_cast<double>(1.1F));
  check_float("1e5e", QType::kReal, 100000);
}

TEST_CASE("nulls and infinities of every type") {
  check_integer("0N", QType::kLong, kNullLong);
  check_integer("0Nj", QType::kLong, kNullLong);
  check_integer("0Nh", QType::kShort, kNullLong);
  check_integer("0Ni", QType::kInt, kNullLong);
  check_integer("0W", QType::kLong, kInfinity);
  check_integer("-0W", QType::kLong, -kInfinity);
  check_integer("0Wj", QType::kLong, kInfinity);
  check_integer("0Wi", QType::kInt, 2147483647);
  check_integer("-0Wh", QType::kShort, -32767);
  check_float("0n", QType::kFloat, kNan);
  check_float("0Nf", QType::kFloat, kNan);
  check_float("0Ne", QType::kReal, kNan);
  check_float("0w", QType::kFloat, kInf);
  check_float("-0w", QType::kFloat, -kInf);
  check_float("0We", QType::kReal, kInf);
  check_float("0Nz", QType::kDatetime, kNan);
  check_float("0Wz", QType::kDatetime, kInf);
  check_float("-0wz", QType::kDatetime, -kInf);
  const std::pair<char, QType> temporals[] = {
      {'p', QType::kTimestamp}, {'m', QType::kMonth},  {'d', QType::kDate}, {'n', QType::kTimespan},
      {'u', QType::kMinute},    {'v', QType::kSecond}, {'t', QType::kTime}};
  for (const auto& [letter, type] : temporals) {
    check_integer(std::string("0N") + letter, type, kNullLong);
    check_integer(std::string("0W") + letter, type, kInfinity);
    check_integer(std::string("-0W") + letter, type, -kInfinity);
  }
  CHECK(std::get<Guid>(good("0Ng").atoms.at(0).value) == Guid{});
}

TEST_CASE("bits and bytes are atoms or lists by their length") {
  check_integer("0b", QType::kBoolean, 0);
  check_integer("1b", QType::kBoolean, 1);
  const Literal bits = good("101b");
  CHECK(bits.is_list);
  CHECK(bits.atoms.size() == 3);
  CHECK(std::get<std::int64_t>(bits.atoms[1].value) == 0);
  check_integer("0x1f", QType::kByte, 31);
  check_integer("0xA", QType::kByte, 10);
  const Literal bytes = good("0x1f2e");
  CHECK(bytes.is_list);
  CHECK(std::get<std::int64_t>(bytes.atoms.at(1).value) == 0x2e);
  CHECK(good("0x").is_list);
  CHECK(good("0x").atoms.empty());
}

TEST_CASE("dates and times") {
  check_integer("2000.01.01", QType::kDate, 0);
  check_integer("2020.01.07", QType::kDate, 7311);
  check_integer("1999.12.31", QType::kDate, -1);
  check_integer("2020.02.29", QType::kDate, 7364);
  check_integer("2020.01m", QType::kMonth, 240);
  check_integer("1999.12m", QType::kMonth, -1);
  check_integer("09:30", QType::kMinute, 570);
  check_integer("9:30", QType::kMinute, 570);
  check_integer("-00:01", QType::kMinute, -1);
  check_integer("25:00", QType::kMinute, 1500);
  check_integer("09:30:01", QType::kSecond, 34201);
  check_integer("09:30:00.123", QType::kTime, 34200123);
  check_integer("09:30:00.1", QType::kTime, 34200100);
  check_integer("09:30:00.123456789", QType::kTimespan, 34200123456789);
  check_integer("0D00:00:00.000000001", QType::kTimespan, 1);
  check_integer("1D", QType::kTimespan, 86400000000000);
  check_integer("-1D12", QType::kTimespan, -129600000000000);
  check_integer("0D09:30", QType::kTimespan, 34200000000000);
}

TEST_CASE("timestamps take shorter clocks and shorter fractions") {
  const std::int64_t midnight = 7311 * 86400000000000;
  check_integer("2020.01.07D", QType::kTimestamp, midnight);
  check_integer("2020.01.07D09", QType::kTimestamp, midnight + 32400000000000);
  check_integer("2020.01.07D09:30", QType::kTimestamp, midnight + 34200000000000);
  check_integer("2020.01.07D09:30:00.123456789", QType::kTimestamp, midnight + 34200123456789);
  check_integer("2020.01.07D09:30:00.5", QType::kTimestamp, midnight + 34200500000000);
  check_integer("1999.12.31D23:59:59.999999999", QType::kTimestamp, -1);
  check_float("2020.01.07T12:00:00.000", QType::kDatetime, 7311.5);
  check_float("2020.01.07T", QType::kDatetime, 7311);
  check_float("1999.12.31T06", QType::kDatetime, -0.75);
}

TEST_CASE("a vector has the type of its last suffix, and one float makes all floats") {
  const Literal shorts = good("1 2 3h");
  CHECK(shorts.is_list);
  CHECK(shorts.type == QType::kShort);
  CHECK(shorts.atoms.size() == 3);
  CHECK(good("1 2.5 3").type == QType::kFloat);
  CHECK(std::get<double>(good("1 2.5 3").atoms[0].value) == 1.0);
  CHECK(good("1.1 2.2e").type == QType::kReal);
  CHECK(std::get<double>(good("1.1 2.2e").atoms[0].value) == static_cast<double>(1.1F));
  CHECK(good("1 0n 3").type == QType::kFloat);
  CHECK(std::get<double>(good("9007199254740993 0.5").atoms[0].value) == 9007199254740992.0);
}

TEST_CASE("bare nulls and infinities take their neighbours' type") {
  const Literal dates = good("2020.01.03 0N 0W");
  CHECK(dates.type == QType::kDate);
  CHECK(is_null(dates.atoms[1]));
  CHECK(std::get<std::int64_t>(dates.atoms[2].value) == kInfinity);
  CHECK(std::get<std::int64_t>(good("0 0Wh").atoms[1].value) == 32767);
  CHECK(std::get<std::int64_t>(good("0W 5h").atoms[0].value) == 32767);
  CHECK(is_null(good("0N 1.5").atoms[0]));
}

TEST_CASE("a temporal takes the suffix of a finer type, the last one's for all") {
  check_integer("2020.01.07p", QType::kTimestamp, 7311 * 86400000000000);
  check_integer("09:30t", QType::kTime, 34200000);
  check_integer("09:30:05n", QType::kTimespan, 34205000000000);
  check_integer("-00:01v", QType::kSecond, -60);
  check_float("2020.01.07z", QType::kDatetime, 7311);
  const Literal times = good("09:30 16:00t");
  CHECK(times.type == QType::kTime);
  CHECK(std::get<std::int64_t>(times.atoms[0].value) == 34200000);
  CHECK(times.atoms[0].type == QType::kTime);
  const Literal months = good("2020.01 2020.02m");
  CHECK(months.type == QType::kMonth);
  CHECK(std::get<std::int64_t>(months.atoms[0].value) == 240);
  CHECK(good("2020.01.07 2020.01.08p").type == QType::kTimestamp);
  CHECK(good("09:30 16:00:00").type == QType::kSecond);
  CHECK(bad("09:30:30u").message.find("is no literal") != std::string::npos);
  CHECK(bad("09:30d").message.find("is no literal") != std::string::npos);
  CHECK(bad("2020.13 2020.02m").caret == 0U);
}

TEST_CASE("an atom knows where its word stands") {
  const Literal literal = good("  2020.01.03   2020.01.31 ");
  CHECK(literal.begin == 2);
  CHECK(literal.end == 25);
  CHECK(literal.atoms[1].position == 15);
}

TEST_CASE("days and times that do not exist are errors") {
  for (const char* text :
       {"2020.02.30", "2019.02.29", "2020.13.01", "2020.00.10", "2020.01.00", "0000.01.01",
        "2020.13m", "2020.00m", "2020.02.30D", "2020.01.07D24:00", "2020.01.07D09:60", "09:60",
        "09:30:60", "0D24:00", "2020.02.30T00:00"}) {
    INFO(text);
    CHECK(bad(text).message.find("is not a") != std::string::npos);
    CHECK(bad(text).caret == 0U);
  }
}

TEST_CASE("what does not fit its type is an error") {
  for (const char* text : {"9223372036854775808", "-9223372036854775808", "2147483648i", "32768h",
                           "-32768h", "99999999999999999999", "1e400", "1e39e", "9999.01.01D",
                           "0001.01.01D", "999999D", "9999999D", "106752D"}) {
    INFO(text);
    CHECK(bad(text).message.find("does not fit a") != std::string::npos);
  }
  CHECK(bad("1 70000 3h").caret == 2U);
}

TEST_CASE("what is no literal is an error") {
  for (const char* text : {"12abc",    "1.2.3",       "0xzz",    "102b", "-0N",
                           "0Nx",      "0W5",         "0Wg",     "0wi",  "5p",
                           "2020.1.7", "9:3",         "1:2:3:4", "1e5x", "2020.01.07T00:00:00.0001",
                           "1T",       "-2020.01.07", "-0x1f",   "1..2", "09:30:00.0123456789"}) {
    INFO(text);
    CHECK(bad(text).message.find("is no literal") != std::string::npos);
  }
  CHECK(bad("1.5h").message == "1.5h is not a short");
}

TEST_CASE("types do not mix in a vector") {
  CHECK(bad("2020.01.03 5").caret == 11U);
  CHECK(bad("5 2020.01.03").caret == 0U);
  CHECK(bad("2020.01.03 5D").caret == 0U);
  CHECK(bad("101b 1b").caret == 0U);
  CHECK(bad("1i 2j").message == "a vector has one type: 1i is an int, not a long");
}

TEST_CASE("leap days follow the calendar, moments and spans reach as far as their type") {
  for (const char* text :
       {"2000.02.29", "1900.02.28", "9999.12.31", "2292.04.10D23:47:16.854775806",
        "1707.09.22D00:12:43.145224194", "106751D23:47:16.854775806", "596:31:23.646"}) {
    good(text);
  }
  for (const char* text :
       {"1900.02.29", "2292.04.10D23:47:16.854775807", "1707.09.22D00:12:43.145224193",
        "1707.09.21D", "106751D23:47:16.854775807", "596:31:23.648"}) {
    bad(text);
  }
}

}  // namespace hdbench::queries

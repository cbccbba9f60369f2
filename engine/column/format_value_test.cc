#include "engine/column/format_value.h"

#include <initializer_list>
#include <limits>
#include <string_view>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/calendar.h"
#include "engine/column/column.h"
#include "engine/column/memory_table.h"

namespace hdbench {
namespace {

using namespace std::string_view_literals;

template <typename T>
std::string text(QType type, T value, const Domain* domain = nullptr) {
  std::string out;
  append_value(out, type, sizeof(T), reinterpret_cast<const std::byte*>(&value), domain);
  return out;
}

std::string cell_text(std::uint8_t kind, const void* data, std::uint32_t count, bool atom = false) {
  return text(QType::kNested,
              NestedCell{static_cast<const std::byte*>(data), count, kind, atom, 0});
}

TEST_CASE("nulls print as nothing") {
  CHECK(text(QType::kShort, kNullShort).empty());
  CHECK(text(QType::kInt, kNullInt).empty());
  CHECK(text(QType::kLong, kNullLong).empty());
  CHECK(text(QType::kFloat, std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK(text(QType::kReal, std::numeric_limits<float>::quiet_NaN()).empty());
  CHECK(text(QType::kDatetime, std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK(text(QType::kDate, kNullInt).empty());
  CHECK(text(QType::kTimestamp, kNullLong).empty());
}

TEST_CASE("infinities print as q's 0W and 0w") {
  CHECK(text(QType::kLong, std::numeric_limits<std::int64_t>::max()) == "0W");
  CHECK(text(QType::kLong, -std::numeric_limits<std::int64_t>::max()) == "-0W");
  CHECK(text(QType::kShort, std::int16_t{-32767}) == "-0W");
  CHECK(text(QType::kDate, std::numeric_limits<std::int32_t>::max()) == "0W");
  CHECK(text(QType::kFloat, -std::numeric_limits<double>::infinity()) == "-0w");
  CHECK(text(QType::kDatetime, std::numeric_limits<double>::infinity()) == "0w");
}

TEST_CASE("numbers print shortest and read back the same") {
  CHECK(text(QType::kFloat, 19.85) == "19.85");
  CHECK(text(QType::kFloat, 1.0) == "1");
  CHECK(text(QType::kFloat, 157.0881349894338) == "157.0881349894338");
  CHECK(text(QType::kFloat, 27.669999999999998) == "27.669999999999998");
  CHECK(text(QType::kReal, 0.1F) == "0.1");
  CHECK(text(QType::kLong, std::int64_t{-42}) == "-42");
  CHECK(text(QType::kBoolean, std::uint8_t{1}) == "1");
  CHECK(text(QType::kByte, std::uint8_t{0x0a}) == "0a");
  CHECK(text(QType::kChar, 'B') == "B");
}

TEST_CASE("dates and times print as csv text") {
  CHECK(text(QType::kDate, std::int32_t{7311}) == "2020-01-07");
  CHECK(text(QType::kDate, std::int32_t{-1}) == "1999-12-31");
  CHECK(text(QType::kDate, std::int32_t{59}) == "2000-02-29");
  CHECK(text(QType::kMonth, std::int32_t{-1}) == "1999-12");
  CHECK(text(QType::kMonth, std::int32_t{240}) == "2020-01");
  CHECK(text(QType::kTimestamp, std::int64_t{473904004438224000}) ==
        "2015-01-07D00:00:04.438224000");
  CHECK(text(QType::kTimestamp, std::int64_t{-1}) == "1999-12-31D23:59:59.999999999");
  CHECK(text(QType::kTimespan, std::int64_t{74486258180000}) == "0D20:41:26.258180000");
  CHECK(text(QType::kTimespan, std::int64_t{-1}) == "-0D00:00:00.000000001");
  CHECK(text(QType::kDatetime, 7623.111111111111) == "2020-11-14T02:40:00.000");
  CHECK(text(QType::kMinute, std::int32_t{570}) == "09:30");
  CHECK(text(QType::kSecond, std::int32_t{34200}) == "09:30:00");
  CHECK(text(QType::kTime, std::int32_t{34200001}) == "09:30:00.001");
  CHECK(text(QType::kTime, std::int32_t{-1}) == "-00:00:00.001");
}

TEST_CASE("the ends of the stored ranges print without overflow") {
  CHECK(text(QType::kDate, std::numeric_limits<std::int32_t>::max() - 1).size() > 8);
  CHECK(text(QType::kTimestamp, std::numeric_limits<std::int64_t>::max() - 1) ==
        "2292-04-10D23:47:16.854775806");
  CHECK(text(QType::kTimestamp, kNullLong + 2) == "1707-09-22D00:12:43.145224194");
  CHECK(text(QType::kTimespan, -std::numeric_limits<std::int64_t>::max() + 1) ==
        "-106751D23:47:16.854775806");
  CHECK(text(QType::kMonth, kNullInt + 2).size() > 8);
}

TEST_CASE("symbols print bare whatever their width, and as #code outside their domain") {
  const auto domain = make_domain("sym", {"AAPL", "MSFT"});
  CHECK(text(QType::kSymbol, std::int32_t{1}, domain.get()) == "MSFT");
  CHECK(text(QType::kSymbol, std::int64_t{0}, domain.get()) == "AAPL");
  CHECK(text(QType::kSymbol, std::uint8_t{1}, domain.get()) == "MSFT");
  CHECK(text(QType::kSymbol, std::int64_t{210}, domain.get()) == "#210");
  CHECK(text(QType::kSymbol, std::int64_t{2}) == "#2");
}

TEST_CASE("a guid prints in its groups") {
  std::array<std::uint8_t, 16> guid{};
  for (std::size_t i = 0; i < guid.size(); ++i) guid[i] = static_cast<std::uint8_t>(i * 17);
  CHECK(text(QType::kGuid, guid) == "00112233-4455-6677-8899-aabbccddeeff");
}

TEST_CASE("nested cells print strings bare and other items with spaces") {
  const std::string_view string = "SXDVO";
  const std::int64_t longs[] = {1, kNullLong, 3};
  const std::int16_t atom = 7;
  CHECK(cell_text(10, string.data(), 5) == "SXDVO");
  CHECK(cell_text(10, nullptr, 0).empty());
  CHECK(cell_text(7, longs, 3) == "1  3");
  CHECK(cell_text(11, "b\0a\0", 4) == "b a");
  CHECK(cell_text(11, "\0", 1, true).empty());
  CHECK(cell_text(5, &atom, 1, true) == "7");
  CHECK(cell_text(0, nullptr, 0).empty());
}

TEST_CASE("partitions are named as kdb+ names their directories") {
  CHECK(partition_name(QType::kDate, 7311) == "2020.01.07");
  CHECK(partition_name(QType::kMonth, 240) == "2020.01");
  CHECK(partition_name(QType::kInt, 2020) == "2020");
  CHECK(partition_name(QType::kLong, 123456789012) == "123456789012");
}

TEST_CASE("days and dates are each other's inverse") {
  for (std::int64_t days = -800000; days < 800000; days += 97) {
    REQUIRE(days_from_civil(civil_from_days(days)) == days);
  }
  CHECK(is_civil_date({2020, 2, 29}));
  CHECK_FALSE(is_civil_date({2019, 2, 29}));
  CHECK_FALSE(is_civil_date({2019, 13, 1}));
  CHECK_FALSE(is_civil_date({2019, 4, 31}));
  CHECK_FALSE(is_civil_date({2019, 1, 0}));
}

TEST_CASE("months and days of one digit get two, and nothing else is such a date") {
  CHECK(padded_date("2020.1.8") == "2020.01.08");
  CHECK(padded_date("2020.12.8") == "2020.12.08");
  CHECK(padded_date("2020.1") == "2020.01");
  for (const char* text : {"", ".", "2020", "2020.", "2020.01.08", "2020.01", "2020..8", "20.1.8",
                           "2020.1.8.1", "2020.1.108", "2020.a.8", "2020.1.8."}) {
    INFO(text);
    CHECK_FALSE(padded_date(text));
  }
}

constexpr double kNoFloat = std::numeric_limits<double>::quiet_NaN();

std::string literal(std::uint8_t kind, const void* data, std::size_t count, bool is_atom = false,
                    std::size_t bytes_max = 1000) {
  std::string out;
  append_literal(
      out,
      {static_cast<const std::byte*>(data), static_cast<std::uint32_t>(count), kind, is_atom, 0},
      Digits::kSeven, bytes_max);
  return out;
}

template <typename T>
std::string list(QType type, std::initializer_list<T> items) {
  return literal(static_cast<std::uint8_t>(type), std::data(items), items.size());
}

template <typename T>
std::string atom(QType type, T item) {
  return literal(static_cast<std::uint8_t>(type), &item, 1, true);
}

std::string symbols(std::string_view texts, bool is_atom = false) {
  return literal(kSymbolsType, texts.data(), texts.size(), is_atom);
}

TEST_CASE("a list without items says its type") {
  CHECK(list<double>(QType::kFloat, {}) == "`float$()");
  CHECK(list<std::int32_t>(QType::kDate, {}) == "`date$()");
  CHECK(symbols("") == "`symbol$()");
  CHECK(list<char>(QType::kChar, {}) == "\"\"");
}

TEST_CASE("numbers are written with their nulls, infinities and types") {
  CHECK(list<std::int64_t>(QType::kLong, {1, kNullLong, 3}) == "1 0N 3");
  CHECK(list<std::int64_t>(QType::kLong, {7}) == ",7");
  CHECK(atom<std::int64_t>(QType::kLong, kNullLong) == "0N");
  CHECK(list<std::int32_t>(QType::kInt, {1, kNullInt}) == "1 0Ni");
  CHECK(list<std::int16_t>(QType::kShort, {INT16_MAX, 2}) == "0W 2h");
  CHECK(list<double>(QType::kFloat, {1.5, kNoFloat}) == "1.5 0n");
  CHECK(list<double>(QType::kFloat, {1, 20.150000000000002}) == "1 20.15");
  CHECK(list<double>(QType::kFloat, {1, 2}) == "1 2f");
  CHECK(list<float>(QType::kReal, {1, std::numeric_limits<float>::infinity()}) == "1 0We");
  CHECK(list<std::uint8_t>(QType::kBoolean, {1, 0}) == "10b");
  CHECK(list<std::uint8_t>(QType::kByte, {1, 255}) == "0x01ff");
}

TEST_CASE("all digits of floats, where these are requested") {
  std::string out;
  const double value = 20.150000000000002;
  append_literal(out, {reinterpret_cast<const std::byte*>(&value), 1, 9, true, 0}, Digits::kAll);
  CHECK(out == "20.150000000000002");
}

TEST_CASE("dates and times have q's forms") {
  CHECK(list<std::int32_t>(QType::kDate, {7311, kNullInt}) == "2020.01.07 0N");
  CHECK(list<std::int32_t>(QType::kDate, {kNullInt, kNullInt}) == "0N 0Nd");
  CHECK(list<std::int32_t>(QType::kMonth, {240, 241}) == "2020.01 2020.02m");
  CHECK(list<std::int64_t>(QType::kTimestamp, {0}) == ",2000.01.01D00:00:00.000000000");
  CHECK(atom<std::int64_t>(QType::kTimespan, INT64_MAX) == "0Wn");
  CHECK(atom<double>(QType::kDatetime, std::numeric_limits<double>::infinity()) == "0Wz");
  CHECK(list<std::int32_t>(QType::kTime, {34200001, -1}) == "09:30:00.001 -00:00:00.001");
  CHECK(atom<std::int32_t>(QType::kMinute, kNullInt) == "0Nu");
}

TEST_CASE("symbols and strings are written as literals") {
  CHECK(symbols("a\0b c\0\0"sv) == "`a`b c`");
  CHECK(symbols("a\0"sv) == ",`a");
  CHECK(symbols("\0"sv, true) == "`");
  CHECK(literal(10, "a\"b", 3) == "\"a\\\"b\"");
  CHECK(literal(10, "a", 1) == ",\"a\"");
  CHECK(literal(10, "a", 1, true) == "\"a\"");
  CHECK(literal(kShownCell, "(dict)", 6) == "(dict)");
}

TEST_CASE("what is long ends with two dots") {
  const std::vector<std::int64_t> longs(100, 1);
  CHECK(literal(7, longs.data(), longs.size(), false, 4) == "1 1 1..");
  CHECK(literal(10, "abcdefgh", 8, false, 4) == "\"abcd..\"");
}

TEST_CASE("items are given one by one, until no more are wanted") {
  std::vector<std::string> texts;
  const std::string_view held("a\0\0bc\0", 6);
  const NestedCell cell{reinterpret_cast<const std::byte*>(held.data()), 6, kSymbolsType, false, 0};
  each_item(cell, [&](std::span<const std::byte> item) {
    texts.emplace_back();
    append_item(texts.back(), kSymbolsType, item);
    return texts.back() != "";
  });
  CHECK(texts == std::vector<std::string>{"a", ""});
}

}  // namespace
}  // namespace hdbench

#include "engine/column/nested_text.h"

#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/type.h"

namespace hdbench {
namespace {

using namespace std::string_view_literals;

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

TEST_CASE("all digits of floats, where these are asked for") {
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

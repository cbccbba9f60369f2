#include "engine/storage/parted_index.h"

#include <fmt/format.h>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

std::shared_ptr<const Domain> letters(std::size_t count) {
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < count; ++i) symbols.push_back(fmt::format("s{}", i));
  return make_domain("sym", std::move(symbols));
}

// A parted column of `keys` symbols, each filling `repeat` rows, in falling order of code.
template <typename T>
Column parted_column(std::size_t keys, std::size_t repeat) {
  std::vector<T> codes;
  for (std::size_t k = keys; k > 0; --k) codes.insert(codes.end(), repeat, static_cast<T>(k - 1));
  Column column = make_column<T>(QType::kSymbol, codes, letters(keys));
  column.attribute = Attribute::kParted;
  column.source = "quote/sym";
  return column;
}

Result<std::shared_ptr<const PartedIndex>> decode(Column& column,
                                                  const std::vector<std::byte>& bytes) {
  column.index_bytes = bytes;
  return parted_index(column);
}

TEST_CASE("the index of an empty column is as kdb+ writes it") {
  const PartedIndex empty{{}, {0}};
  CHECK(encode_parted_index(empty, 8, 0).size() == 80);
  CHECK(encode_parted_index(empty, 4, 0).size() == 80);
  if (!have_samples()) return;
  const auto wide = file_bytes(samples() / "v36-tiny/hdb/2021.01.04/packets/sym");
  const auto narrow = file_bytes(samples() / "v3-ipc-compressed/hdb/2015.01.07/quote_iex/sym");
  CHECK(encode_parted_index(empty, 8, 0) == std::vector(wide.begin() + 4096, wide.end()));
  auto expected = std::vector(narrow.begin() + 24, narrow.end());
  CHECK(encode_parted_index(empty, 4, 0) == expected);
}

TEMPLATE_TEST_CASE("an index reads back as it was written", "", std::int32_t, std::int64_t) {
  for (std::size_t keys : {0, 1, 2, 3, 4, 5, 100, 1000}) {
    for (std::size_t repeat : {1, 3}) {
      Column column = parted_column<TestType>(keys, repeat);
      const auto made = make_parted_index(column);
      REQUIRE(made.has_value());
      const auto bytes = encode_parted_index(*made, sizeof(TestType), column.bytes());
      const auto read = decode(column, bytes);
      REQUIRE(read.ok());
      CHECK((*read)->keys == made->keys);
      CHECK((*read)->offsets == made->offsets);
    }
  }
}

TEST_CASE("an index made in memory is given as it is, and other columns have none") {
  Column column = parted_column<std::int64_t>(2, 2);
  column.index = std::make_shared<const PartedIndex>(*make_parted_index(column));
  CHECK(parted_index(column).value() == column.index);
  Column plain = parted_column<std::int64_t>(2, 2);
  plain.attribute = Attribute::kNone;
  CHECK(parted_index(plain).value() == nullptr);
  plain.attribute = Attribute::kGrouped;
  CHECK(parted_index(plain).value() == nullptr);
}

TEST_CASE("an index that does not fit its column names file, place and both figures") {
  Column column = parted_column<std::int64_t>(3, 2);
  const auto good = encode_parted_index(*make_parted_index(column), 8, column.bytes());
  const auto error = [&](const std::vector<std::byte>& bytes) {
    return decode(column, bytes).error().message;
  };
  CHECK(error({}) == "quote/sym: byte 48 (p# index): 0 bytes, but an index has at least 80");
  CHECK(error({good.begin(), good.end() - 8}) ==
        "quote/sym: byte 56 (p# index): 168 bytes, but 3 distinct values take 176");
  struct Case {
    std::size_t at;
    int byte;
    const char* message;
  };
  for (const auto& [at, byte, message] :
       {Case{16, 200, "byte 64 (p# index): 200 distinct values, but the column has 6 rows"},
        Case{24, 9, "byte 72 (p# index): index 9, but domain sym has 3 symbols"},
        Case{32, 2, "byte 80 (p# index): value 2 a second time, but each has one range"},
        Case{good.size() - 8, 5, "byte 216 (p# index): offset 5, but 6 to 6 is expected"},
        Case{good.size() - 16, 2, "byte 208 (p# index): offset 2, but 3 to 6 is expected"}}) {
    auto bytes = good;
    bytes[at] = static_cast<std::byte>(byte);
    CHECK(error(bytes) == std::string("quote/sym: ") + message);
  }
}

TEMPLATE_TEST_CASE("no broken index crashes the reader", "", std::int32_t, std::int64_t) {
  Column column = parted_column<TestType>(5, 3);
  const auto good =
      encode_parted_index(*make_parted_index(column), sizeof(TestType), column.bytes());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<long>(size));
    CHECK_FALSE(decode(column, cut).ok());
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      auto bytes = good;
      bytes[at] ^= static_cast<std::byte>(1 << bit);
      const auto read = decode(column, bytes);
      if (read.ok()) CHECK((*read)->offsets.back() == 15);
    }
  }
}

TEST_CASE("a null among the keys is the domain's null code where the column has nulls") {
  for (const std::uint32_t width : {4, 8}) {
    const std::int64_t null = width == 4 ? kNullInt : kNullLong;
    const PartedIndex index{{null, 0}, {0, 2, 3}};
    const auto bytes = encode_parted_index(index, width, 3 * width);
    Column column;
    column.type = QType::kSymbol;
    column.width = width;
    column.rows = 3;
    column.attribute = Attribute::kParted;
    column.domain = make_domain("sym", {"a"});
    column.index_bytes = bytes;
    const auto refused = parted_index(column);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().subject == &column);
    CHECK(refused.error().message.find("but domain sym has 1 symbols") != std::string::npos);
    column.has_null_codes = true;
    const auto read = parted_index(column);
    REQUIRE(read.ok());
    CHECK((*read)->keys == std::vector<std::int64_t>{1, 0});
  }
}

}  // namespace
}  // namespace hdbench

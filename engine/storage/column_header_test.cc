#include "engine/storage/column_header.h"

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench {
namespace {

using namespace std::string_view_literals;

std::string message(std::string_view bytes) {
  const auto header = parse_column_header(bytes_of(bytes), "bid");
  return header.ok() ? "" : header.error().message;
}

std::vector<std::byte> page(std::string_view name, std::string_view end) {
  std::vector<std::byte> bytes = bytes_of("\xfd\x20");
  bytes.resize(4096);
  std::memcpy(bytes.data() + 16, name.data(), name.size());
  std::memcpy(bytes.data() + 4080, end.data(), end.size());
  return bytes;
}

TEST_CASE("an empty or unknown file is no column") {
  CHECK(message("") == "bid: empty, but a column has a header");
  CHECK(message("\x12\x34") == "bid: byte 0: 12 34, which no known column starts with");
  CHECK(message("\xfd") == "bid: byte 0: fd 00, which no known column starts with");
}

TEST_CASE("every container's header is understood") {
  const auto object = parse_column_header(bytes_of("\xff\x01\x07\x01\2\0\0\0"sv), "c").value();
  CHECK(object.type == QType::kLong);
  CHECK(object.attribute == Attribute::kSorted);
  CHECK(object.data_offset == 8);
  const auto old =
      parse_column_header(bytes_of("\xff\x20\0\0\0\0\0\0\6\0\0\0\4\0\0\0"sv), "c").value();
  CHECK(old.type == QType::kInt);
  CHECK(old.count == 4);
  CHECK(old.data_offset == 16);
  const auto plain =
      parse_column_header(bytes_of("\xfe\x20\x09\0\0\0\0\0\5\0\0\0\0\0\0\0"sv), "c").value();
  CHECK(plain.type == QType::kFloat);
  CHECK(plain.count == 5);
  const auto narrow =
      parse_column_header(bytes_of("\xfesym\0\0\0\0\0\0\0\3\0\0\0\0\7\0\0\0\0\0\0\0"sv), "c")
          .value();
  CHECK(narrow.type == QType::kSymbol);
  CHECK(narrow.width == 4);
  CHECK(narrow.domain == "sym");
  CHECK(narrow.attribute == Attribute::kParted);
  CHECK(narrow.count == 7);
  const auto wide = parse_column_header(page("exchange", "\xfd\0\x14\0"sv), "c").value();
  CHECK(wide.width == 8);
  CHECK(wide.domain == "exchange");
  CHECK(wide.data_offset == 4096);
  const auto map = parse_column_header(page("", "\xfd\1\x4d\0"sv), "c").value();
  CHECK(map.anymap);
  CHECK(map.type == QType::kNested);
  const auto list = parse_column_header(bytes_of("\xff\x01\0\0\0\0\0\0"sv), "c").value();
  CHECK(list.type == QType::kNested);
  CHECK(list.is_untyped);
}

TEST_CASE("mapped vectors of every plain type are lists of its items") {
  for (int item = 1; item <= 20; ++item) {
    std::string bytes("\xfe\x20\0\0\0\0\0\0\4\0\0\0\0\0\0\0"sv);
    bytes[2] = static_cast<char>(77 + item);
    std::string old("\xff\x20\0\0\0\0\0\0\0\0\0\0\4\0\0\0"sv);
    old[8] = static_cast<char>(77 + item);
    for (const std::string& one : {bytes, old}) {
      const auto header = parse_column_header(bytes_of(one), "c");
      REQUIRE(header.ok() == is_plain_type(item));
      if (!header.ok()) continue;
      CHECK(header->type == QType::kNested);
      CHECK(header->width == 8);
      CHECK(header->item_type == item);
      CHECK(header->data_offset == 16);
    }
  }
  CHECK(message("\xfe\x20\x58\0\0\0\0\0\0\0\0\0\0\0\0\0"sv) ==
        "bid: byte 2: type 88, lists of symbols: not supported");
}

TEST_CASE("a serialised object that is no list is called what it is") {
  const auto object = [](int type) {
    std::string bytes("\xff\x01\0\x05\0\0\0\0"sv);
    bytes[2] = static_cast<char>(type);
    return message(bytes);
  };
  CHECK(object(-7) == "bid: byte 2: a long atom, not a list");
  CHECK(object(-6) == "bid: byte 2: an int atom, not a list");
  CHECK(object(-11) == "bid: byte 2: a symbol atom, not a list");
  CHECK(object(-128) == "bid: byte 2: an atom of type -128, not a list");
  CHECK(object(98) == "bid: byte 2: a table, not a list");
  CHECK(object(99) == "bid: byte 2: a dictionary, not a list");
  CHECK(object(127) == "bid: byte 2: a dictionary, not a list");
  CHECK(object(100) == "bid: byte 2: a lambda, not a list");
  CHECK(object(112) == "bid: byte 2: a function, not a list");
}

TEST_CASE("a broken header is told with its place") {
  CHECK(message("\xfe\x20\x07"sv) == "bid: 3 bytes, but the header alone takes 16");
  CHECK(message("\xfd\x20"sv) == "bid: 2 bytes, but the header alone takes 4096");
  CHECK(message("\xfe\x20\x37\0\0\0\0\0\0\0\0\0\0\0\0\0"sv) ==
        "bid: byte 2: type 55, which no supported column has");
  CHECK(message("\xfe\x20\x07\x09\0\0\0\0\0\0\0\0\0\0\0\0"sv) ==
        "bid: byte 3: attribute 9, but 0 to 4 are known");
  CHECK(message("\xfe\x20\x07\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"sv) ==
        "bid: byte 8: a count of -1 rows");
  CHECK(message("\xff\x01\x0b\0\0\0\0\0"sv) ==
        "bid: byte 2: symbols that are not enumerated: not supported");
  CHECK(message("\xff\x01\0\0\1\0\0\0\xf9"sv) ==
        "bid: byte 2: a serialised list with items: not supported");
  CHECK(message("\xfe/etc\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv) ==
        "bid: byte 1: no name of a domain");
  CHECK(message(as_text(page("", "\xfd\0\x14\0"sv))) == "bid: byte 16: no name of a domain");
  CHECK(message(as_text(page("sym", "\xfc\0\x14\0"sv))) ==
        "bid: byte 4080: fc, but fd is expected");
}

TEST_CASE("types that kdb+ writes and we do not read are told from damage") {
  const auto is_unsupported = [](int type) {
    std::string bytes("\xfe\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv);
    bytes[2] = static_cast<char>(type);
    return parse_column_header(bytes_of(bytes), "c").error().unsupported;
  };
  for (const int type : {21, 76, 88, 97}) CHECK(is_unsupported(type));
  for (const int type : {0, 3, 11, 80, 98, 99, 127}) CHECK_FALSE(is_unsupported(type));
}

TEST_CASE("rows come from the length, for p# from the header") {
  ColumnHeader header;
  header.data_offset = 16;
  header.count = 99;
  CHECK(row_count(header, 16, "bid").value() == 0);
  CHECK(row_count(header, 32, "bid").value() == 2);
  CHECK(row_count(header, 33, "bid").error().message ==
        "bid: 17 bytes of data from byte 16 on, which 8 bytes an element do not divide");
  header.attribute = Attribute::kSorted;
  CHECK(row_count(header, 32, "bid").value() == 2);
  for (Attribute attribute : {Attribute::kParted, Attribute::kUnique, Attribute::kGrouped}) {
    header.attribute = attribute;
    CHECK(row_count(header, 16 + 99 * 8 + 5, "bid").value() == 99);
    CHECK(row_count(header, 16 + 98 * 8, "bid").error().message ==
          "bid: 99 rows of 8 bytes by its header, but 784 bytes of data from byte 16 on");
  }
  header.count = std::int64_t{1} << 62;
  CHECK_FALSE(row_count(header, 1000, "bid").ok());
}

TEST_CASE("what an object is called") {
  CHECK(object_name(0) == "a list");
  CHECK(object_name(11) == "a list of symbols");
  CHECK(object_name(-11) == "a symbol atom");
  CHECK(object_name(-6) == "an int atom");
  CHECK(object_name(9) == "a list of floats");
  CHECK(object_name(98) == "a table");
  CHECK(object_name(127) == "a dictionary");
  CHECK(object_name(100) == "a lambda");
  CHECK(object_name(101) == "a function");
  CHECK(object_name(20) == "an object of type 20");
  CHECK(object_name(-128) == "an atom of type -128");
}

}  // namespace
}  // namespace hdbench

#include "engine/storage/column_file.h"

#include <random>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/saved_objects.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;
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

TEST_CASE("a broken header is reported with its place") {
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

TEST_CASE("a serialised vector and an empty list are columns too") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  const auto store = make_page_cache_store();
  write_bytes(scratch / "a", bytes_of("\xff\x01\x06\0\0\0\0\0\1\0\0\0\2\0\0\0"sv));
  const auto ints = read_column(scratch / "a", *store, domains);
  REQUIRE(ints.ok());
  CHECK(ints->rows == 2);
  CHECK(ints->mapped);
  write_bytes(scratch / "b", bytes_of("\xff\x01\0\0\0\0\0\0"sv));
  const auto list = read_column(scratch / "b", *store, domains);
  REQUIRE(list.ok());
  CHECK(list->type == QType::kNested);
  CHECK(list->rows == 0);
  CHECK(is_untyped(*list));
}

TEST_CASE("mapped vectors are read with their items, of old kdb+ too") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  const auto store = make_page_cache_store();
  std::vector<std::byte> ends;
  for (const std::int64_t end : {1, 1, 2}) append_bytes(ends, end);
  for (const std::string_view header :
       {"\xfe\x20\x56\0\0\0\0\0\3\0\0\0\0\0\0\0"sv, "\xff\x20\0\0\0\0\0\0\x56\0\0\0\3\0\0\0"sv}) {
    auto bytes = bytes_of(header);
    bytes.insert(bytes.end(), ends.begin(), ends.end());
    write_bytes(scratch / "f", bytes);
    fs::remove(scratch / "f#");
    CHECK(read_column(scratch / "f", *store, domains).error().message.find("f#") !=
          std::string::npos);
    std::vector<std::byte> items;
    for (const double item : {1.5, 2.5}) append_bytes(items, item);
    write_bytes(scratch / "f#", items);
    const auto column = read_column(scratch / "f", *store, domains);
    REQUIRE(column.ok());
    CHECK(column->rows == 3);
    CHECK(column->heap.size() == 16);
    CHECK(nested_cell(*column, 0)->count == 1);
    CHECK(nested_cell(*column, 1)->count == 0);
    CHECK(load_at<double>({nested_cell(*column, 2)->data, 8}, 0) == 2.5);
    CHECK_FALSE(is_untyped(*column));
  }
}

TEST_CASE("an enumeration over a table is the table's rows, whatever its width") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  save_object(scratch / "ref",
              table_object({"a"}, {vector_object<std::int64_t>(QType::kLong, {1})}));
  const std::vector<std::int64_t> codes{1, 0, kNullLong};
  const auto index = make_parted_index(make_column<std::int64_t>(QType::kSymbol, codes));
  REQUIRE(write_column<std::int64_t>(scratch / "wide", symbol_spec(Attribute::kParted, "ref"),
                                     codes, &*index));
  std::vector<std::byte> narrow = bytes_of(
      "\xfe"
      "ref\0\0\0\0\0\0\0\0\0\0\0"sv);
  narrow.resize(24);
  for (const std::int32_t code : {1, 0, kNullInt}) append_bytes(narrow, code);
  write_bytes(scratch / "narrow", narrow);
  for (const char* name : {"wide", "narrow"}) {
    INFO(name);
    const auto column = read_column(scratch / name, *make_page_cache_store(), domains);
    REQUIRE(column.ok());
    CHECK((column->type == QType::kLong && column->width == 8 && column->link == "ref"));
    CHECK((column->attribute == Attribute::kNone && column->index_bytes.empty()));
    REQUIRE(column->rows == 3);
    std::vector<std::int64_t> rows(3);
    std::memcpy(rows.data(), column->data, column->bytes());
    CHECK(rows == codes);
    CHECK(stored_offset(*column, 2) == (name == std::string("wide") ? 4096 + 2 * 8 : 24 + 2 * 4));
  }
}

TEST_CASE("an anymap without its heap names the heap's file") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  std::vector<std::byte> map = bytes_of("\xfd\x20");
  map.resize(4096);
  std::memcpy(map.data() + 4080, "\xfd\1\x4d", 3);
  write_bytes(scratch / "note", map);
  CHECK(read_column(scratch / "note", *make_page_cache_store(), domains).error().message ==
        (scratch / "note#").string() + ": cannot open: No such file or directory");
}

// Reads all there is to read: what a hostile file must not crash.
void exercise(const fs::path& path, Domains& domains) {
  const auto store = make_page_cache_store();
  if (!read_column_summary(path).ok()) return;
  const auto column = read_column(path, *store, domains);
  if (!column.ok()) return;
  const auto index = parted_index(*column);
  if (index.ok() && *index != nullptr) {
    CHECK((*index)->offsets.back() == static_cast<std::int64_t>(column->rows));
  }
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < column->bytes(); ++i)
    sum += std::to_integer<unsigned>(column->data[i]);
  if (column->type == QType::kNested) {
    for (std::uint64_t row = 0; row < column->rows; ++row) {
      const auto cell = nested_cell(*column, row);
      if (!cell.ok()) continue;
      for (std::uint64_t i = 0; i < std::uint64_t{cell->count} * cell_item_width(cell->kind); ++i) {
        sum += std::to_integer<unsigned>(cell->data[i]);
      }
    }
  }
  CHECK(sum + 1 > 0);
}

bool is_mutated(const fs::directory_entry& entry) {
  // The large files' shapes are those of the smaller ones.
  return entry.is_regular_file() && entry.file_size() < 200000 &&
         entry.path().filename() != "LICENSE" && entry.path().filename() != "README.md";
}

TEST_CASE("no sample, truncated or with bits flipped, crashes the reader") {
  if (!have_samples()) return;
  const ScratchDirectory scratch;
  std::mt19937 random(5);
  const std::vector<std::string> symbols{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  REQUIRE(write_symbol_list(scratch / "sym", symbols).ok());
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(samples())) {
    if (!is_mutated(entry)) continue;
    ++files;
    const std::vector<std::byte> good = file_bytes(entry.path());
    const fs::path heap = entry.path().string() + "#";
    const fs::path file = scratch / "column";
    fs::remove(scratch / "column#");
    if (fs::exists(heap)) fs::copy_file(heap, scratch / "column#");
    for (int i = 0; i < 24; ++i) {
      // Half of the places are in the header and the trailer, where bytes mean most.
      const std::size_t near = std::min<std::size_t>(good.size(), 64);
      const std::size_t at = i % 4 == 0   ? random() % near
                             : i % 4 == 1 ? good.size() - 1 - random() % near
                                          : random() % good.size();
      std::vector<std::byte> bytes = good;
      if (i % 3 == 0) {
        bytes.resize(at);
      } else {
        bytes[at] ^= static_cast<std::byte>(1U << random() % 8);
        if (i % 3 == 2) bytes[random() % near] = static_cast<std::byte>(random());
      }
      write_bytes(file, bytes);
      Domains domains(scratch.path());
      exercise(file, domains);
      const auto list = parse_symbol_list(bytes, "list");
      if (list.ok()) CHECK(list->size() <= bytes.size());
    }
  }
  CHECK(files > 100);
}

TEST_CASE("an anymap whose heap is broken gives errors, not crashes") {
  if (!have_samples()) return;
  const ScratchDirectory scratch;
  std::mt19937 random(6);
  const fs::path real = samples() / "v36-anymap/hdb/2020.11.14/flights/registration";
  fs::copy_file(real, scratch / "column");
  const std::vector<std::byte> good = file_bytes(real.string() + "#");
  Domains domains(scratch.path());
  for (int i = 0; i < 60; ++i) {
    std::vector<std::byte> bytes = good;
    if (i % 2 == 0) {
      bytes.resize(random() % good.size());
    } else {
      for (int flips = 0; flips < 100; ++flips) {
        bytes[4096 + random() % (good.size() - 4096)] = static_cast<std::byte>(random());
      }
    }
    write_bytes(scratch / "column#", bytes);
    exercise(scratch / "column", domains);
  }
}

}  // namespace
}  // namespace hdbench

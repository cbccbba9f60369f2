#include "engine/storage/anymap.h"

#include "engine/base/catch.h"
#include "engine/column/format_value.h"
#include "engine/column/memory_table.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

using namespace std::string_view_literals;

// A column of one row whose reference is `reference` into `heap`.
struct OneCell {
  OneCell(std::uint64_t reference, std::string_view heap) : bytes(bytes_of(heap)) {
    column = make_column<std::uint64_t>(QType::kNested, std::span(&reference, 1));
    column.heap = bytes;
    column.source = "quote/note";
    column.data_offset = 4096;
    column.texts = std::make_shared<CellTexts>();
  }
  std::string text() const {
    const auto cell = nested_cell(column, 0);
    if (!cell.ok()) return cell.error().message;
    std::string out;
    append_value(out, QType::kNested, 16, reinterpret_cast<const std::byte*>(&*cell),
                 column.domain.get());
    return out;
  }
  std::vector<std::byte> bytes;
  Column column;
};

constexpr std::uint64_t kShort = std::uint64_t{1} << 56;

TEST_CASE("an empty string, a string and a char atom are read") {
  CHECK(OneCell(kShort, "\x89\0"sv).text().empty());
  CHECK(OneCell(kShort | 2, "\x89\0\x89\3abc"sv).text() == "abc");
  const OneCell atom(kShort, "\x75x"sv);
  CHECK(atom.text() == "x");
  CHECK(nested_cell(atom.column, 0)->is_atom);
}

TEST_CASE("long cells lie behind a header of 16 bytes") {
  CHECK(OneCell(0, "\xfb\0\x0a\0\1\0\0\0\5\0\0\0\0\0\0\0hello"sv).text() == "hello");
  CHECK(OneCell(8, "........\xfb\0\x07\0\1\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"sv)
            .text() == "1 2");
}

TEST_CASE("items that are no chars are read with their own width") {
  CHECK(OneCell(kShort, "\x84\2\1\0\2\0"sv).text() == "1 2");
  OneCell symbols(kShort, "\x8a\2\1\0\0\0\0\0\0\0"sv);
  symbols.column.domain = make_domain("note##", {"a", "b"});
  CHECK(symbols.text() == "b a");
  CHECK(nested_cell(symbols.column, 0)->count == 4);
  const OneCell none(kShort, "\x8a\1\0\0\0\0"sv);
  CHECK(none.text() == "quote/note#: byte 4098 (row 0): index 0, but quote/note## has 0 symbols");
}

// A general list's cell, in its long form, of references with the short flag.
std::string list_cell(std::initializer_list<std::uint8_t> places) {
  std::string cell("\xfb\0\0\0\1\0\0\0"sv);
  cell += static_cast<char>(places.size());
  cell.append(7, '\0');
  for (const std::uint8_t place : places) {
    cell += static_cast<char>(place);
    cell.append(6, '\0');
    cell += '\1';
  }
  return cell;
}

std::string shown_list(std::string heap, std::initializer_list<std::uint8_t> places) {
  const std::uint64_t at = heap.size();
  heap += list_cell(places);
  OneCell cell(at, heap);
  cell.column.domain = make_domain("note##", {"a", "b"});
  CHECK(nested_cell(cell.column, 0)->kind == kShownCell);
  return cell.text();
}

TEST_CASE("a general list is shown as q shows it") {
  // At 0 "ab", at 4 the symbol b, at 9 the int 3, at 14 the booleans 10, at 18 the float 2, at 27
  // no longs, at 29 the char x, at 31 the null long, at 40 two dates.
  const std::string heap(
      "\x89\2ab\x74\1\0\0\0\x79\3\0\0\0\x80\2\1\0\x76\0\0\0\0\0\0\0\x40\x86\0\x75x"
      "\x78\0\0\0\0\0\0\0\x80\x8d\2\x8f\x1c\0\0\0\0\0\x80"sv);
  CHECK(shown_list(heap, {}) == "()");
  CHECK(shown_list(heap, {0}) == ",\"ab\"");
  CHECK(shown_list(heap, {0, 4, 9, 14, 18}) == "(\"ab\";`b;3i;10b;2f)");
  CHECK(shown_list(heap, {27, 29, 31, 40}) == "(`long$();\"x\";0N;2020.01.07 0N)");
  CHECK(shown_list(heap + list_cell({9, 9}), {50, 0}) == "((3i;3i);\"ab\")");
}

Status checked(const std::string& heap, std::uint64_t reference) {
  OneCell cell(reference, heap);
  cell.column.domain = make_domain("note##", {"a", "b"});
  return CellChecker(cell.column).check(0);
}

TEST_CASE("symbols are looked at however deep and far behind they are") {
  // At 0 the symbol b, at 5 the index 99.
  std::string heap("\x74\1\0\0\0\x74\x63\0\0\0"sv);
  CHECK(shown_list(heap, {0}) == ",`b");
  const std::string beyond =
      "quote/note#: byte 4102 (row 0): index 99, but quote/note## has 2 symbols";
  CHECK(OneCell(kShort | 5, heap).text().find(": index 99, but") != std::string::npos);
  for (int depth = 0; depth < 40; ++depth) {
    const auto last = static_cast<std::uint8_t>(heap.size());
    heap += depth == 0 ? list_cell({0, 5}) : list_cell({static_cast<std::uint8_t>(last - 32), 0});
    if (last > 200) break;
  }
  CHECK(checked(heap, kShort | 0).ok());
  CHECK(checked(heap, heap.size() - 32).error().message == beyond);
  std::string many("\x74\1\0\0\0\x74\x63\0\0\0\0\0\0\0\0\0\xfb\0\0\0\1\0\0\0"sv);
  constexpr std::uint64_t kItems = 5000;
  many.append(reinterpret_cast<const char*>(&kItems), 8);
  for (std::uint64_t item = 0; item < kItems; ++item) {
    const std::uint64_t reference = kShort | (item + 1 == kItems ? 5 : 0);
    many.append(reinterpret_cast<const char*>(&reference), 8);
  }
  CHECK(checked(many, 16).error().message == beyond);
}

TEST_CASE("a list that holds itself is found, at every row that leads there") {
  const std::string heap = list_cell({0, 32}) + list_cell({0});
  CHECK(checked(heap, kShort | 32).error().message ==
        "quote/note#: byte 4096 (row 0): a list that holds itself");
  const std::uint64_t references[] = {kShort | 32, kShort | 32};
  OneCell cell(0, heap);
  Column column = make_column<std::uint64_t>(QType::kNested, references);
  column.heap = cell.bytes;
  CellChecker checker(column);
  CHECK_FALSE(checker.check(0).ok());
  CHECK_FALSE(checker.check(1).ok());
}

TEST_CASE("a list that two lists hold is no circle") {
  const std::string heap = list_cell({}) + list_cell({0, 0});
  CHECK(checked(heap, 16).ok());
}

TEST_CASE("a list within itself ends") {
  const OneCell cell(0, list_cell({0, 0}));
  CHECK(cell.text().size() < 70000);
}

TEST_CASE("dictionaries, tables and functions are named, whatever the reference's flag says") {
  const OneCell cell(kShort, "\xfb\0\x63\0\1\0\0\0\2\0\0\0\0\0\0\0"sv);
  CHECK(nested_cell(cell.column, 0)->shown_type == 99);
  for (const std::uint64_t flag : {std::uint64_t{0}, kShort}) {
    CHECK(OneCell(flag, "\xfb\0\x63\0\1\0\0\0\2\0\0\0\0\0\0\0"sv).text() == "(dict)");
    CHECK(OneCell(flag, "\xfb\0\x62\0\1\0\0\0\1\0\0\0\0\0\0\0"sv).text() == "(table)");
    CHECK(OneCell(flag, "\xfb\0\x64\0\1\0\0\0\1\0\0\0\0\0\0\0"sv).text() == "(function)");
  }
}

// A column of mapped vectors.
Column mapped_vectors(std::span<const std::int64_t> ends, QType items, Bytes heap) {
  Column column = make_column<std::int64_t>(QType::kNested, ends);
  column.item_type = static_cast<std::uint8_t>(items);
  column.heap = heap;
  column.source = "quote/note";
  column.data_offset = 16;
  return column;
}

TEST_CASE("a mapped vector goes from the row before's end to its own") {
  const auto heap = bytes_of("abcde");
  const std::int64_t ends[] = {2, 2, 5};
  const Column column = mapped_vectors(ends, QType::kChar, heap);
  std::vector<std::string> texts;
  for (std::uint64_t row = 0; row < 3; ++row) {
    const auto cell = nested_cell(column, row);
    REQUIRE(cell.ok());
    texts.emplace_back(reinterpret_cast<const char*>(cell->data), cell->count);
  }
  CHECK(texts == std::vector<std::string>{"ab", "", "cde"});
}

TEST_CASE("end positions that fall or lie beyond the items are reported") {
  const auto heap = bytes_of("........abcdefgh");
  for (const std::int64_t end : {std::int64_t{0}, std::int64_t{3}, std::int64_t{-1}, INT64_MIN}) {
    const std::int64_t ends[] = {1, end};
    const auto cell = nested_cell(mapped_vectors(ends, QType::kLong, heap), 1);
    REQUIRE_FALSE(cell.ok());
    CHECK(cell.error().message == "quote/note: byte 24 (row 1): items 1 to " + std::to_string(end) +
                                      ", but quote/note# has 2 of 8 bytes");
  }
  const std::int64_t first[] = {-1};
  CHECK_FALSE(nested_cell(mapped_vectors(first, QType::kLong, heap), 0).ok());
}

TEST_CASE("a cell that is held as a cell is given as it is") {
  const NestedCell held{nullptr, 0, 10, false, 0};
  const Column column = make_column<NestedCell>(QType::kNested, std::span(&held, 1));
  CHECK(nested_cell(column, 0)->kind == 10);
}

TEST_CASE("references and cells beyond the heap are reported with file and place") {
  CHECK(OneCell(kShort | 7, "\x89\0"sv).text() ==
        "quote/note: byte 4096 (row 0): reference to byte 7, but quote/note# has 2");
  CHECK(OneCell(kShort * 2, "\x89\0"sv).text() ==
        "quote/note: byte 4096 (row 0): reference flag 2, but 0 and 1 are known");
  CHECK(OneCell(kShort, "\x89\5abc"sv).text() ==
        "quote/note#: byte 4096 (row 0): 5 items of 1 bytes, but 3 bytes are left");
  CHECK(OneCell(kShort | 1, "\x89\x89"sv).text() ==
        "quote/note#: byte 4097 (row 0): no cell starts here");
  CHECK(OneCell(kShort, "\x93\0"sv).text() ==
        "quote/note#: byte 4096 (row 0): a cell of type 20: not supported");
  CHECK(OneCell(0, "\xfb\0\x0a\0\1\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f"sv).text() ==
        "quote/note#: byte 4096 (row 0): 9223372036854775807 items of 1 bytes, but 0 bytes are "
        "left");
  CHECK(OneCell(0, "\xfc\0\x0a\0\1\0\0\0\0\0\0\0\0\0\0\0"sv).text() ==
        "quote/note#: byte 4096 (row 0): no cell starts here");
  CHECK(OneCell(0, "\xfb\0\x0a\0"sv).text() ==
        "quote/note#: byte 4096 (row 0): no cell starts here");
}

}  // namespace
}  // namespace hdbench

#include "engine/storage/anymap.h"

#include "engine/base/catch.h"
#include "engine/column/format_value.h"
#include "engine/column/memory_table.h"
#include "engine/storage/test_files.h"

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
}

TEST_CASE("a cell that is held as a cell is given as it is") {
  const NestedCell held{nullptr, 0, 10, false, 0};
  const Column column = make_column<NestedCell>(QType::kNested, std::span(&held, 1));
  CHECK(nested_cell(column, 0)->kind == 10);
}

TEST_CASE("references and cells beyond the heap are told with file and place") {
  CHECK(OneCell(kShort | 7, "\x89\0"sv).text() ==
        "quote/note: byte 4096 (row 0): reference to byte 7, but quote/note# has 2");
  CHECK(OneCell(kShort * 2, "\x89\0"sv).text() ==
        "quote/note: byte 4096 (row 0): reference flag 2, but 0 and 1 are known");
  CHECK(OneCell(kShort, "\x89\5abc"sv).text() ==
        "quote/note#: byte 4096 (row 0): 5 items of 1 bytes, but 3 bytes are left");
  CHECK(OneCell(kShort | 1, "\x89\x89"sv).text() ==
        "quote/note#: byte 4097 (row 0): no cell starts here");
  CHECK(OneCell(kShort, "\x7f\0"sv).text() ==
        "quote/note#: byte 4096 (row 0): a cell of type 0: not supported");
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

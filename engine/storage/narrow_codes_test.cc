#include "engine/storage/narrow_codes.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Domain> symbols(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(fmt::format("s{}", i));
  return make_domain("sym", std::move(texts));
}

std::vector<std::uint64_t> codes_of(const Column& column) {
  std::vector<std::uint64_t> codes;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    codes.push_back(static_cast<std::uint64_t>(
        element_order_key(column.type, column.width, column.data + row * column.width)));
  }
  return codes;
}

// `rows` codes that go through the whole domain, its last one included.
template <typename T>
Column stored_column(std::size_t rows, std::size_t domain_size) {
  std::vector<T> codes(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    codes[row] = static_cast<T>((row * 7919 + domain_size - 1) % domain_size);
  }
  return make_column<T>(QType::kSymbol, codes, symbols(domain_size));
}

TEST_CASE("a domain needs 1 byte a code up to 256 symbols, 2 up to 65536, else 4") {
  CHECK(narrow_width(0, 8) == 1);
  CHECK(narrow_width(256, 8) == 1);
  CHECK(narrow_width(257, 8) == 2);
  CHECK(narrow_width(65536, 4) == 2);
  CHECK(narrow_width(65537, 8) == 4);
  CHECK(narrow_width(65537, 4) == 4);
}

TEST_CASE("a column without rows is narrowed to one without rows") {
  const auto narrow = narrow_column(stored_column<std::int64_t>(0, 3), *make_page_cache_store());
  REQUIRE(narrow.ok());
  CHECK(narrow->rows == 0);
  CHECK(narrow->width == 1);
  CHECK_FALSE(has_parted_index(*narrow));
}

TEMPLATE_TEST_CASE("narrowed codes are the stored ones, whatever the width and the row count", "",
                   std::int32_t, std::int64_t) {
  const auto store = make_page_cache_store();
  for (const std::size_t domain_size : {1, 2, 256, 257, 65536}) {
    for (const std::size_t rows : {1, 63, 16384, 16385, 40000}) {
      const Column stored = stored_column<TestType>(rows, domain_size);
      const auto narrow = narrow_column(stored, *store);
      REQUIRE(narrow.ok());
      CHECK(narrow->width == (domain_size <= 256 ? 1 : 2));
      CHECK(narrow->narrowed_from == rows * sizeof(TestType));
      CHECK(narrow->domain == stored.domain);
      CHECK(codes_of(*narrow) == codes_of(stored));
    }
  }
}

TEMPLATE_TEST_CASE("nulls become the null code, in wider codes where they must", "", std::int32_t,
                   std::int64_t) {
  const auto store = make_page_cache_store();
  for (const std::size_t domain_size : {0, 1, 255, 256, 300, 65536}) {
    const TestType null = std::numeric_limits<TestType>::min();
    const TestType last = domain_size == 0 ? null : static_cast<TestType>(domain_size - 1);
    const std::vector<TestType> codes{null, last, null};
    const Column stored = make_column<TestType>(QType::kSymbol, codes, symbols(domain_size));
    const std::uint64_t at = stored.domain->null_code();
    const std::vector<std::uint64_t> expected{at, domain_size == 0 ? at : domain_size - 1, at};
    const auto narrow = narrow_column(stored, *store);
    REQUIRE(narrow.ok());
    CHECK(narrow->width == (domain_size < 256 ? 1 : domain_size < 65536 ? 2 : 4));
    CHECK(narrow->has_null_codes);
    CHECK(codes_of(*narrow) == expected);
    const auto mended = mended_column(stored, *store);
    REQUIRE(mended.ok());
    CHECK(mended->width == sizeof(TestType));
    CHECK(codes_of(*mended) == expected);
  }
  const Column whole = stored_column<TestType>(5, 3);
  CHECK(mended_column(whole, *store)->data == whole.data);
}

TEST_CASE("a code that the domain lacks is refused with file, offset and both figures") {
  const auto store = make_page_cache_store();
  // Below zero; the same low byte as a good one; just beyond the domain; beyond every piece.
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{256}, std::int64_t{1} << 40,
                                   std::int64_t{3}, std::numeric_limits<std::int64_t>::max()}) {
    for (const std::size_t row : {0, 16383, 16384, 19999}) {
      std::vector<std::int64_t> codes(20000, 2);
      codes[row] = wrong;
      Column column = make_column<std::int64_t>(QType::kSymbol, codes, symbols(3));
      column.source = "quote/sym";
      column.data_offset = 4096;
      const auto narrow = narrow_column(column, *store);
      REQUIRE_FALSE(narrow.ok());
      CHECK(narrow.error().kind == ErrorKind::kData);
      CHECK(narrow.error().message == "quote/sym: byte " + std::to_string(4096 + 8 * row) +
                                          " (row " + std::to_string(row) + "): index " +
                                          std::to_string(wrong) + ", but domain sym has 3 symbols");
    }
  }
  const std::int32_t half[] = {0, -7};
  const auto narrow =
      narrow_column(make_column<std::int32_t>(QType::kSymbol, half, symbols(3)), *store);
  REQUIRE_FALSE(narrow.ok());
  CHECK(narrow.error().message ==
        "a column in memory: byte 4 (row 1): index -7, but domain sym has 3 symbols");
}

TEMPLATE_TEST_CASE("a p# index comes along, in the same region, whatever the widths", "",
                   std::int32_t, std::int64_t) {
  const auto store = make_page_cache_store();
  for (const std::size_t domain_size : {3, 300, 65537}) {
    if (domain_size > 65536 && sizeof(TestType) == 4) continue;  // no narrower
    const std::vector<TestType> codes{2, 2, 0, 1, 1};
    Column stored = make_column<TestType>(QType::kSymbol, codes, symbols(domain_size));
    const PartedIndex index = *make_parted_index(stored);
    const auto bytes = encode_parted_index(index, sizeof(TestType), stored.bytes());
    stored.attribute = Attribute::kParted;
    stored.source = "quote/sym";
    stored.index_bytes = bytes;
    const auto narrow = narrow_column(stored, *store);
    REQUIRE(narrow.ok());
    REQUIRE(has_parted_index(*narrow));
    CHECK(narrow->index_bytes.data() == narrow->data + narrow->bytes());
    const auto read = parted_index(*narrow);
    REQUIRE(read.ok());
    CHECK((*read)->keys == index.keys);
    CHECK((*read)->offsets == index.offsets);
  }
}

TEST_CASE("a broken p# index is refused with the file's own figures") {
  const std::int64_t codes[] = {0, 0, 1};
  Column stored = make_column<std::int64_t>(QType::kSymbol, codes, symbols(2));
  stored.attribute = Attribute::kParted;
  stored.source = "quote/sym";
  const auto narrow = narrow_column(stored, *make_page_cache_store());
  REQUIRE_FALSE(narrow.ok());
  CHECK(narrow.error().message == parted_index(stored).error().message);
}

std::shared_ptr<Table> open_narrow(const fs::path& root, const char* name, Codes codes) {
  return Database::open(root).value()->table(name, make_page_cache_store(), codes).value();
}

TEST_CASE("a table on disk narrows its symbols and nothing else") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 6);
  write_quote(scratch / "2020.01.08/trade", 0, 2);
  write_quote(scratch / "2020.01.09/quote", 0, 0);
  const auto stored = open_narrow(scratch.path(), "quote", Codes::kStored);
  const auto narrow = open_narrow(scratch.path(), "quote", Codes::kNarrow);
  for (const std::size_t part : {0, 1, 2}) {
    CHECK(narrow->rows(part).value() == stored->rows(part).value());
    for (const std::size_t field : {1, 2, 3}) {
      const Column* was = stored->column(part, field).value();
      const Column* is = narrow->column(part, field).value();
      CHECK(is->width == (field == 2 ? 1 : 8));
      CHECK(is->rows == was->rows);
      CHECK(codes_of(*is) == codes_of(*was));
      CHECK(narrow->column(part, field).value() == is);
    }
  }
  const auto index = parted_index(*narrow->column(0, 2).value());
  REQUIRE(index.ok());
  CHECK((*index)->offsets == std::vector<std::int64_t>{0, 3, 6});
}

}  // namespace
}  // namespace hdbench

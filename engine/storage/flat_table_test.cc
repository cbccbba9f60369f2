#include "engine/storage/flat_table.h"

#include <limits>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/column.h"
#include "engine/column/format_value.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<Table> open_table(const fs::path& root, const char* name) {
  return Database::open(root).value()->table(name, make_page_cache_store()).value();
}

std::vector<std::string> texts(const Table& table, std::size_t field) {
  const Column* column = table.column(0, field).value();
  std::vector<std::string> all;
  for (std::uint64_t row = 0; row < column->rows; ++row) {
    std::string& text = all.emplace_back();
    if (column->type == QType::kDate) {
      const std::int64_t value = order_key_at(*column, row);
      append_value(text, column->type, 4, reinterpret_cast<const std::byte*>(&value), nullptr);
      continue;
    }
    append_value(text, column->type, column->width, column->data + row * column->width,
                 column->domain.get());
  }
  return all;
}

TEST_CASE("partitions are joined in order, with a real date column that is parted") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.08/trade", 0, 2);
  write_quote(scratch / "2020.01.09/quote", 0, 0);
  write_quote(scratch / "2020.01.10/quote", 100, 3);
  ThreadPool pool(2);
  const auto store = make_page_cache_store();
  const auto made = make_flat_table(*open_table(scratch.path(), "quote"), store, pool);
  REQUIRE(made.ok());
  const Table& flat = **made;
  CHECK_FALSE(flat.schema().partitioned);
  CHECK(flat.name() == "quote");
  CHECK(flat.part_count() == 1);
  CHECK(flat.rows(0).value() == 5);
  using Texts = std::vector<std::string>;
  CHECK(texts(flat, 0) ==
        Texts{"2020-01-07", "2020-01-07", "2020-01-10", "2020-01-10", "2020-01-10"});
  CHECK(texts(flat, 2) == Texts{"a", "b", "a", "b", "b"});
  CHECK(texts(flat, 3) == Texts{"0", "0.5", "50", "50.5", "51"});
  CHECK(flat.schema().fields[0].attribute == Attribute::kParted);
  CHECK(flat.schema().fields[2].attribute == Attribute::kNone);
  const auto index = parted_index(*flat.column(0, 0).value());
  REQUIRE(index.ok());
  CHECK((*index)->keys == std::vector<std::int64_t>{7311, 7314});
  CHECK((*index)->offsets == std::vector<std::int64_t>{0, 2, 5});
}

TEST_CASE("codes stored in two widths become 8 bytes wide, or are narrowed as they are joined") {
  const auto domain = make_domain("sym", {"a", "b"});
  const std::int32_t half[] = {1, 0};
  const std::int64_t wide[] = {0, 1, 1};
  Schema schema{{{"date", QType::kDate, Attribute::kNone, nullptr},
                 {"sym", QType::kSymbol, Attribute::kNone, domain}},
                true};
  const MemoryTable source("quote", schema,
                           {{1, {make_column<std::int32_t>(QType::kSymbol, half, domain)}},
                            {2, {make_column<std::int64_t>(QType::kSymbol, wide, domain)}}});
  ThreadPool pool(2);
  for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
    const auto flat = make_flat_table(source, make_page_cache_store(), pool, codes);
    REQUIRE(flat.ok());
    const Column* sym = (*flat)->column(0, 1).value();
    CHECK(sym->width == (codes == Codes::kStored ? 8 : 1));
    CHECK(sym->narrowed_from == (codes == Codes::kStored ? 0 : 2 * 4 + 3 * 8));
    CHECK(texts(**flat, 1) == std::vector<std::string>{"b", "a", "a", "b", "b"});
  }
}

// Two rows of a partition of that number, two of `range` later.
std::shared_ptr<Table> narrow_dates(std::int64_t first, std::int64_t range) {
  Schema schema{{{"date", QType::kDate, Attribute::kNone, nullptr},
                 {"bid", QType::kLong, Attribute::kNone, nullptr}},
                true};
  const std::int64_t bids[] = {1, 2};
  const MemoryTable source("quote", schema,
                           {{first, {make_column<std::int64_t>(QType::kLong, bids)}},
                            {first + range, {make_column<std::int64_t>(QType::kLong, bids)}}});
  ThreadPool pool(2);
  return make_flat_table(source, make_page_cache_store(), pool, Codes::kNarrow).value();
}

TEST_CASE("a narrow join has the partition field as offsets from its least value") {
  struct Case {
    std::int64_t range;
    std::uint32_t width;
  };
  for (const auto& [range, width] : {Case{3, 1}, Case{255, 1}, Case{256, 2}, Case{32767, 2}}) {
    const auto flat = narrow_dates(7311, range);
    const Column& date = *flat->column(0, 0).value();
    CHECK(date.width == width);
    CHECK(date.base == 7311);
    CHECK(date.narrowed_from == 4 * 4);
    CHECK(order_key_at(date, 1) == 7311);
    CHECK(order_key_at(date, 2) == 7311 + range);
    CHECK(parted_index(date).value()->keys == std::vector<std::int64_t>{7311, 7311 + range});
  }
  // 2000.01.01 is 0, days before it are less.
  for (const std::int64_t first : {0, -200, -32767}) {
    const auto flat = narrow_dates(first, 200);
    const Column& date = *flat->column(0, 0).value();
    CHECK(date.width == 1);
    CHECK(date.base == first);
    CHECK(order_key_at(date, 0) == first);
    CHECK(order_key_at(date, 3) == first + 200);
  }
  const auto wide = narrow_dates(7311, 32768);
  const Column& date = *wide->column(0, 0).value();
  CHECK(date.width == 4);
  CHECK(date.base == 0);
  CHECK(date.narrowed_from == 0);
  CHECK(order_key_at(date, 3) == 7311 + 32768);
}

TEST_CASE("a narrow join's offsets begin at its first partition, rows or none, of 8 bytes too") {
  Schema schema{{{"int", QType::kLong, Attribute::kNone, nullptr},
                 {"bid", QType::kLong, Attribute::kNone, nullptr}},
                true};
  const std::int64_t bids[] = {1, 2};
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::max() - 10;
  const MemoryTable source("quote", schema,
                           {{kFirst, {make_column<std::int64_t>(QType::kLong, {})}},
                            {kFirst + 3, {make_column<std::int64_t>(QType::kLong, bids)}}});
  ThreadPool pool(2);
  const auto flat = make_flat_table(source, make_page_cache_store(), pool, Codes::kNarrow);
  REQUIRE(flat.ok());
  const Column& number = *(*flat)->column(0, 0).value();
  CHECK(number.width == 1);
  CHECK(number.base == kFirst);
  CHECK(number.narrowed_from == 2 * 8);
  CHECK(order_key_at(number, 1) == kFirst + 3);
  CHECK(parted_index(number).value()->keys == std::vector<std::int64_t>{kFirst + 3});
}

TEST_CASE("a splayed table is copied as it is, its index included") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "quote", 0, 6);
  ThreadPool pool(1);
  const auto flat =
      make_flat_table(*open_table(scratch.path(), "quote"), make_page_cache_store(), pool);
  REQUIRE(flat.ok());
  CHECK((*flat)->schema().fields.size() == 3);
  CHECK((*flat)->schema().fields[1].attribute == Attribute::kParted);
  const auto index = parted_index(*(*flat)->column(0, 1).value());
  REQUIRE(index.ok());
  CHECK((*index)->offsets == std::vector<std::int64_t>{0, 3, 6});
}

TEST_CASE("a column that a partition cannot give is left out with its message") {
  const ScratchDirectory scratch;
  write_sym(scratch.path());
  write_quote(scratch / "2020.01.07/quote", 0, 2);
  write_quote(scratch / "2020.01.08/quote", 0, 2);
  fs::remove(scratch / "2020.01.07/quote/bid");
  ThreadPool pool(2);
  const auto flat =
      make_flat_table(*open_table(scratch.path(), "quote"), make_page_cache_store(), pool);
  REQUIRE(flat.ok());
  const std::string message =
      (scratch / "2020.01.07/quote/bid").string() + ": named by .d, but there is no such file";
  REQUIRE((*flat)->schema().fields[3].unreadable);
  CHECK((*flat)->schema().fields[3].unreadable->message == message);
  CHECK((*flat)->column(0, 3).error().message == message);
  CHECK((*flat)->rows(0).value() == 4);
  CHECK((*flat)->column(0, 1).value()->rows == 4);
  fs::remove_all(scratch / "2020.01.08/quote");
  write_bytes(scratch / "2020.01.08/quote", bytes_of("x"));
  CHECK(make_flat_table(*open_table(scratch.path(), "quote"), make_page_cache_store(), pool)
            .error()
            .message ==
        (scratch / "2020.01.08/quote").string() + ": a file in the place of a directory");
}

TEST_CASE("the index of a flat table joins the parts of one partition") {
  const ScratchDirectory scratch;
  write_sym(scratch / "db");
  write_quote(scratch / "one/2020.01.07/quote", 0, 2);
  write_quote(scratch / "two/2020.01.07/quote", 100, 4);
  write_quote(scratch / "two/2020.01.08/quote", 200, 2);
  write_bytes(scratch / "db/par.txt", bytes_of("../one\n../two\n"));
  ThreadPool pool(2);
  const auto flat =
      make_flat_table(*open_table(scratch / "db", "quote"), make_page_cache_store(), pool).value();
  const auto index = parted_index(*flat->column(0, 0).value()).value();
  CHECK(index->keys == std::vector<std::int64_t>{7311, 7312});
  CHECK(index->offsets == std::vector<std::int64_t>{0, 6, 8});
}

TEST_CASE("strings go on pointing into the source's heaps after it is gone") {
  if (!have_samples()) return;
  ThreadPool pool(2);
  auto source = open_table(samples() / "v36-anymap/hdb", "flights");
  const std::size_t field = *source->schema().find("registration");
  const auto flat = make_flat_table(*source, make_page_cache_store(), pool);
  source.reset();
  REQUIRE(flat.ok());
  const auto registrations = texts(**flat, field);
  REQUIRE(registrations.size() == 1718 + 2303);
  CHECK(registrations[1] == "SXDVO");
  CHECK((*flat)->column(0, field).value()->width == sizeof(NestedCell));
}

}  // namespace
}  // namespace hdbench

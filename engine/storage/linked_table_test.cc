#include "engine/storage/linked_table.h"

#include <cmath>
#include <thread>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/flat_table.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

using Longs = std::vector<std::int64_t>;

Column longs(const Longs& values) { return make_column<std::int64_t>(QType::kLong, values); }

// ref: k (symbols a b), v (floats), n (ints); two rows.
LinkTarget ref_table(std::size_t keys) {
  const auto domain = make_domain("sym", {"a", "b"});
  Schema schema;
  schema.fields = {{"k", QType::kSymbol, Attribute::kUnique, domain},
                   {"v", QType::kFloat, Attribute::kNone, nullptr},
                   {"n", QType::kInt, Attribute::kNone, nullptr}};
  MemoryTable::Part part;
  part.columns = {
      make_column<std::uint8_t>(QType::kSymbol, std::vector<std::uint8_t>{0, 1}, domain),
      make_column<double>(QType::kFloat, std::vector<double>{1.5, 2.5}),
      make_column<std::int32_t>(QType::kInt, std::vector<std::int32_t>{10, 20})};
  return {std::make_shared<MemoryTable>("ref", std::move(schema),
                                        std::vector<MemoryTable::Part>{std::move(part)}),
          keys};
}

// t: x, lk (into `link`), of two dates.
LinkedTable linked(Longs first, Longs second, std::size_t keys, std::string link = "ref") {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"x", QType::kLong, Attribute::kNone, nullptr},
                   {"lk", QType::kLong, Attribute::kNone, nullptr, {}, std::move(link)}};
  std::vector<MemoryTable::Part> parts;
  parts.push_back({1, {longs(Longs(first.size())), longs(first)}});
  parts.push_back({2, {longs(Longs(second.size())), longs(second)}});
  return LinkedTable(std::make_shared<MemoryTable>("t", std::move(schema), std::move(parts)),
                     {{"ref", ref_table(keys)}}, make_page_cache_store());
}

const Column& followed(const LinkedTable& table, std::size_t part, std::string_view name) {
  return **table.column(part, table.schema().find(name).value());
}

template <typename T>
std::vector<T> values(const Column& column) {
  REQUIRE(column.width == sizeof(T));
  std::vector<T> found(column.rows);
  std::memcpy(found.data(), column.data, column.bytes());
  return found;
}

TEST_CASE("a link is shown as its indices and followed by name") {
  const LinkedTable table = linked({1, 0, 1}, {}, 0);
  const Schema& schema = table.schema();
  CHECK(schema.own_fields() == 3);
  CHECK(schema.fields.size() == 6);
  CHECK((schema.fields[4].name == "lk.v" && schema.fields[4].followed));
  CHECK(
      (schema.fields[3].type == QType::kSymbol && schema.fields[3].attribute == Attribute::kNone));
  CHECK(values<std::int64_t>(followed(table, 0, "lk")) == Longs{1, 0, 1});
  CHECK(values<double>(followed(table, 0, "lk.v")) == std::vector<double>{2.5, 1.5, 2.5});
  CHECK(values<std::int32_t>(followed(table, 0, "lk.n")) == std::vector<std::int32_t>{20, 10, 20});
  CHECK(followed(table, 1, "lk.v").rows == 0);
  const Column& symbols = followed(table, 0, "lk.k");
  CHECK(symbols.domain == schema.fields[3].domain);
  CHECK(symbols.domain->text(values<std::uint8_t>(symbols)[0]) == "b");
}

TEST_CASE("a null index points to nulls") {
  const LinkedTable table = linked({kNullLong}, {0}, 0);
  CHECK(values<std::int64_t>(followed(table, 0, "lk"))[0] == kNullLong);
  CHECK(std::isnan(values<double>(followed(table, 0, "lk.v"))[0]));
  CHECK(values<std::int32_t>(followed(table, 0, "lk.n"))[0] == kNullInt);
  const Column& symbols = followed(table, 0, "lk.k");
  CHECK(symbols.domain->text(values<std::uint8_t>(symbols)[0]).empty());
}

TEST_CASE("an index beyond the target is an error with its place") {
  const LinkedTable table = linked({0, 2}, {-1}, 0);
  const std::size_t field = *table.schema().find("lk.v");
  CHECK(table.column(0, field).error().message == ": byte 8 (row 1): index 2, but ref has 2 rows");
  CHECK(table.column(1, field).error().message == ": byte 0 (row 0): index -1, but ref has 2 rows");
  CHECK(values<std::int64_t>(followed(table, 0, "lk")) == Longs{0, 2});
}

TEST_CASE("a foreign key is shown as its key and followed") {
  const LinkedTable table = linked({1, kNullLong}, {0}, 1);
  const Field& shown = table.schema().fields[2];
  CHECK((shown.name == "lk" && shown.type == QType::kSymbol && !shown.followed));
  const Column& keys = followed(table, 0, "lk");
  CHECK(keys.domain == shown.domain);
  CHECK(keys.domain->text(values<std::uint8_t>(keys)[0]) == "b");
  CHECK(keys.domain->text(values<std::uint8_t>(keys)[1]).empty());
  CHECK(values<double>(followed(table, 0, "lk.v"))[0] == 2.5);
}

TEST_CASE("a key of two columns is shown as indices") {
  const LinkedTable table = linked({1}, {0}, 2);
  CHECK(table.schema().fields[2].type == QType::kLong);
  CHECK(values<double>(followed(table, 0, "lk.v"))[0] == 2.5);
}

TEST_CASE("a link without its table is a column of longs") {
  const LinkedTable table = linked({1}, {0}, 0, "none");
  CHECK(table.schema().fields.size() == 3);
  CHECK(values<std::int64_t>(followed(table, 0, "lk")) == Longs{1});
}

TEST_CASE("cells that are followed outlive the table with the target's items") {
  const auto items = std::make_shared<std::vector<std::byte>>(bytes_of("abc"));
  const std::vector<NestedCell> cells{{items->data(), 3, 10, false, 0}};
  Column strings = make_column<NestedCell>(QType::kNested, cells);
  strings.keep_alive.push_back(items);
  Schema ref;
  ref.fields = {{"s", QType::kNested, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> ref_parts(1);
  ref_parts[0].columns.push_back(std::move(strings));
  Schema schema;
  schema.fields = {{"lk", QType::kLong, Attribute::kNone, nullptr, {}, "ref"}};
  std::vector<MemoryTable::Part> parts(1);
  parts[0].columns.push_back(longs({0, kNullLong}));
  Column kept;
  {
    const LinkedTable table(
        std::make_shared<MemoryTable>("t", std::move(schema), std::move(parts)),
        {{"ref", {std::make_shared<MemoryTable>("ref", std::move(ref), std::move(ref_parts)), 0}}},
        make_page_cache_store());
    kept = followed(table, 0, "lk.s");
  }
  CHECK(items.use_count() == 2);
  const NestedCell cell = *nested_cell(kept, 0);
  CHECK(as_text({cell.data, cell.count}) == "abc");
  CHECK(nested_cell(kept, 1)->count == 0);
}

TEST_CASE("a link whose table cannot be read is unreadable itself") {
  Schema schema;
  schema.fields = {{"lk", QType::kLong, Attribute::kNone, nullptr, {}, "ref"}};
  std::vector<MemoryTable::Part> parts(1);
  parts[0].columns.push_back(longs({0}));
  const LinkedTable table(std::make_shared<MemoryTable>("t", std::move(schema), std::move(parts)),
                          {{"ref", {nullptr, 0, data_error("ref: broken")}}},
                          make_page_cache_store());
  REQUIRE(table.schema().fields.size() == 1);
  CHECK(table.schema().fields[0].unreadable->message == "ref: broken");
  CHECK(table.column(0, 0).error().message == "ref: broken");
}

TEST_CASE("a flat table follows its own links, and copies none of their columns") {
  ThreadPool pool(2);
  for (const Codes codes : {Codes::kStored, Codes::kNarrow}) {
    const LinkedTable table = linked({1, kNullLong}, {0}, 1);
    const auto made = make_flat_table(table, make_page_cache_store(), pool, codes);
    REQUIRE(made.ok());
    const Table& flat = **made;
    CHECK(flat.schema().own_fields() == 3);
    const auto& numbers = *flat.column(0, *flat.schema().find("lk.n")).value();
    CHECK(values<std::int32_t>(numbers) == std::vector<std::int32_t>{20, kNullInt, 10});
    const auto& keys = *flat.column(0, *flat.schema().find("lk")).value();
    CHECK(keys.width == 1);
    CHECK(keys.domain->text(values<std::uint8_t>(keys)[0]) == "b");
  }
}

TEST_CASE("many threads that follow the same link get the same columns") {
  const LinkedTable table = linked(Longs(10000, 1), Longs(10, 0), 0);
  std::vector<std::vector<const Column*>> seen(8);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&table, &mine] {
      for (std::size_t part : {0, 1}) {
        for (std::size_t field : {3, 4, 5}) mine.push_back(table.column(part, field).value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) CHECK(mine == seen.front());
}

}  // namespace
}  // namespace hdbench

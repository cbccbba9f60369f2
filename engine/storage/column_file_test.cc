#include "engine/storage/column_file.h"

#include <random>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/storage/anymap.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/saved_objects.h"
#include "engine/testing/zip_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

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

TEST_CASE("an encrypted file is named as such") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  write_bytes(scratch / "bid", bytes_of("kxzippEd and then what nobody can read"));
  const std::string expected = (scratch / "bid").string() + ": encrypted (kxzippEd): not supported";
  CHECK(read_column(scratch / "bid", *make_page_cache_store(), domains).error().message ==
        expected);
  CHECK(read_column_summary(scratch / "bid").error().message == expected);
}

TEST_CASE("an enumeration without its domain's file names both") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  const std::vector<std::int64_t> codes{0};
  REQUIRE(
      write_column<std::int64_t>(scratch / "ex", symbol_spec(Attribute::kNone, "exchange"), codes));
  CHECK(read_column(scratch / "ex", *make_page_cache_store(), domains).error().message ==
        (scratch / "ex").string() + ": enumerated over domain exchange, but there is no file " +
            (scratch / "exchange").string());
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

TEST_CASE("compressed columns read as plain ones do, as copies") {
  const ScratchDirectory scratch;
  Domains domains(scratch.path());
  const auto store = make_page_cache_store();
  std::vector<double> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 91) / 4;
  REQUIRE(write_column<double>(scratch / "plain", column_spec(QType::kFloat), values));
  const auto plain = file_bytes(scratch / "plain");
  for (int algorithm = 0; algorithm <= 5; ++algorithm) {
    INFO("algorithm " << algorithm);
    write_bytes(scratch / "zipped", zip_file(algorithm, plain, 16384));
    const auto column = read_column(scratch / "zipped", *store, domains);
    REQUIRE(column.ok());
    CHECK_FALSE(column->mapped);
    REQUIRE(column->rows == values.size());
    CHECK(std::memcmp(column->data, values.data(), column->bytes()) == 0);
    const auto summary = read_column_summary(scratch / "zipped");
    REQUIRE(summary.ok());
    CHECK(summary->rows == values.size());
  }
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

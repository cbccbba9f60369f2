// Columns of kdb+ 3.6 and later, written again: the same bytes, but for what kdb+ leaves undefined.
#include <algorithm>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/storage/column_file.h"
#include "engine/storage/parted_index.h"
#include "engine/storage/plain_file.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

void zero(std::vector<std::byte>& bytes, std::size_t at, std::size_t count) {
  std::fill_n(bytes.begin() + static_cast<long>(at), count, std::byte{0});
}

// Clears what kdb+ leaves undefined in an 8-byte enumeration's index: the unused value slots, and
// the first word, which kdb+ of 2019 filled with whatever was there.
void mask_index(std::vector<std::byte>& bytes, std::size_t vector_end) {
  const auto keys = load_at<std::uint64_t>(bytes, vector_end + 16);
  const std::uint64_t capacity = (bytes.size() - vector_end - 56 - 8 * keys) / 24;
  zero(bytes, vector_end, 8);
  zero(bytes, vector_end + 24 + 8 * keys, 8 * (capacity - keys));
}

// Recent kdb+ writes a count of 0 to a plain vector; this project the true one.
void mask_count(std::vector<std::byte>& bytes, const ColumnHeader& header) {
  if (header.attribute == Attribute::kParted) return;
  zero(bytes, header.type == QType::kSymbol ? 4088 : 8, 8);
}

// `fe 20` and `fd 20` without anymaps: what the writer writes.
bool is_rewritten(Bytes plain) {
  if (starts_with(plain, "\xfe\x20")) return true;
  return starts_with(plain, "\xfd\x20") && load_at<std::uint8_t>(plain, 4082) == 0x14;
}

void check_rewritten(const fs::path& path, const fs::path& copy) {
  const auto store = make_page_cache_store();
  const auto file = read_plain_file(path, *store);
  if (!file.ok() || !is_rewritten(file->bytes)) return;
  INFO(path.string());
  const auto header = parse_column_header(file->bytes, path.string());
  REQUIRE(header.ok());
  const std::uint64_t rows = row_count(*header, file->bytes.size(), path.string()).value();
  const Bytes data = file->bytes.subspan(header->data_offset, rows * header->width);

  Column column;
  column.type = header->type;
  column.width = header->width;
  column.rows = rows;
  column.data = data.data();
  std::optional<PartedIndex> index;
  if (header->attribute == Attribute::kParted) index = make_parted_index(column);
  auto writer = ColumnWriter::create(copy, {header->type, header->attribute, header->domain, rows});
  REQUIRE(writer.ok());
  REQUIRE(writer->append(data).ok());
  REQUIRE(writer->finish(index.has_value() ? &*index : nullptr).ok());

  std::vector<std::byte> written = file_bytes(copy);
  std::vector<std::byte> real(file->bytes.begin(), file->bytes.end());
  for (auto* bytes : {&written, &real}) {
    mask_count(*bytes, *header);
    if (index.has_value()) mask_index(*bytes, header->data_offset + data.size());
  }
  CHECK((written == real));
  fs::remove(copy);
}

TEST_CASE("every column of kdb+ 3.6 is written again as it was, its index included") {
  if (!have_samples()) return;
  const ScratchDirectory scratch;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(samples())) {
    if (!entry.is_regular_file()) continue;
    check_rewritten(entry.path(), scratch / "copy");
    ++files;
  }
  CHECK(files > 150);
}

TEST_CASE("the indices of narrow enumerations are encoded again as they were") {
  if (!have_samples()) return;
  const auto store = make_page_cache_store();
  std::size_t checked = 0;
  for (const char* name : {"2015.01.07/quote", "2015.01.07/trade", "2015.01.08/trade",
                           "2015.01.07/quote_iex", "2015.01.07/trade_iex"}) {
    INFO(name);
    const fs::path root = samples() / "v3-ipc-compressed/hdb";
    Domains domains(root);
    const auto column = read_column(root / name / "sym", *store, domains);
    REQUIRE(column.ok());
    const auto index = parted_index(*column);
    REQUIRE(index.ok());
    const auto encoded = encode_parted_index(**index, 4, column->bytes());
    std::vector<std::byte> real(column->index_bytes.begin(), column->index_bytes.end());
    REQUIRE(encoded.size() == real.size());
    // Undefined: padding, byte 1 of both headers, unused value slots.
    const std::size_t padding = (8 - column->bytes() % 8) % 8;
    const std::size_t keys = (*index)->keys.size();
    const std::size_t capacity = (real.size() - padding - 40 - 8 * keys) / 20;
    zero(real, 0, padding);
    zero(real, padding + 1, 1);
    zero(real, padding + 16 + 4 * keys, 4 * (capacity - keys));
    zero(real, padding + 16 + 20 * capacity + 1, 1);
    CHECK((encoded == real));
    ++checked;
  }
  CHECK(checked == 5);
}

}  // namespace
}  // namespace hdbench

#include "bench/io/read_block.h"

#include "engine/base/catch.h"
#include "engine/storage/test_files.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kBlock = 4096;

TEST_CASE("a column smaller than a block has none") {
  const ScratchDirectory place;
  const auto column = make_column(place / "small", {QType::kLong, 100, 1});
  REQUIRE(column.ok());
  CHECK(BlockReader(*column, kBlock, "pread").blocks() == 0);
}

TEST_CASE("every engine reads the bytes that were written") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  for (const char* engine : {"mmap", "mmap-random", "mmap-per-read", "pread", "direct"}) {
    BlockReader reader(*column, kBlock, engine);
    REQUIRE(reader.blocks() == 4);
    const Status opened = reader.open();
    if (!opened.ok() && std::string_view(engine) == "direct") continue;  // tmpfs refuses it
    REQUIRE(opened.ok());
    for (const std::uint64_t block : {3, 0, 2}) REQUIRE(reader.read(block).ok());
    CHECK(reader.sum() == reader.expected());
    CHECK(reader.sum() != 0);
  }
}

TEST_CASE("other bytes have another sum") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, kBlock / 8, 9});
  REQUIRE(column.ok());
  const auto file = open_for(column->path, 1);
  const std::byte wrong{1};
  REQUIRE(write_fully_at(*file, 100, {&wrong, 1}, column->path).ok());
  BlockReader reader(*column, kBlock, "pread");
  REQUIRE(reader.open().ok());
  REQUIRE(reader.read(0).ok());
  CHECK(reader.sum() != reader.expected());
}

TEST_CASE("a file that was cut off is an error") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  std::filesystem::resize_file(column->path, kBlock);
  BlockReader reader(*column, kBlock, "pread");
  REQUIRE(reader.open().ok());
  const Status read = reader.read(2);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message == column->path.string() + ": cannot read: Input/output error");
}

}  // namespace
}  // namespace hdbench

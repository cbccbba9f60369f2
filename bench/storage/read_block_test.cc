#include "bench/storage/read_block.h"

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

// The blocks in that order, in a process of their own, and the sum that they must have.
Result<ProcessFigures> read_blocks(const MadeColumn& column, const char* engine,
                                   const std::vector<std::uint64_t>& blocks) {
  HDB_ASSIGN(const auto told, run_processes(1, 60, [&](Worker& worker) -> Status {
               BlockReader reader(column, kBlock, engine);
               HDB_TRY(reader.open());
               HDB_TRY(worker.begin());
               for (const std::uint64_t block : blocks) HDB_TRY(reader.read_lap(worker, block));
               worker.end();
               return worker.check_sum(reader.sum(), reader.expected(), "the column");
             }));
  return told.front();
}

TEST_CASE("every engine reads and sums the bytes that were written, a block a lap") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  REQUIRE(BlockReader(*column, kBlock, "pread").blocks() == 4);
  std::uint64_t checksum = 0;
  for (const char* engine : {"mmap", "mmap-random", "mmap-per-read", "pread", "direct"}) {
    const auto told = read_blocks(*column, engine, {3, 0, 2});
    if (!told.ok() && std::string_view(engine) == "direct") continue;  // tmpfs refuses it
    REQUIRE(told.ok());
    CHECK(told->checked);
    CHECK(told->checksum != 0);
    if (checksum == 0) checksum = told->checksum;
    CHECK(told->checksum == checksum);
    CHECK(told->operations == 3);
    CHECK(told->latency.total() == 3);
    CHECK(told->bytes == 3 * kBlock);
  }
}

TEST_CASE("other bytes have another sum") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, kBlock / 8, 9});
  REQUIRE(column.ok());
  const auto file = open_for(column->path, 1);
  const std::byte wrong{1};
  REQUIRE(write_fully_at(*file, 100, {&wrong, 1}, column->path).ok());
  for (const char* engine : {"mmap", "mmap-per-read", "pread"}) {
    const auto told = read_blocks(*column, engine, {0});
    REQUIRE_FALSE(told.ok());
    CHECK(told.error().message.rfind("the column: the bytes' sum is ", 0) == 0);
  }
}

TEST_CASE("a file that was cut off is an error") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  std::filesystem::resize_file(column->path, kBlock);
  const auto told = read_blocks(*column, "pread", {2});
  REQUIRE_FALSE(told.ok());
  CHECK(told.error().message == column->path.string() + ": cannot read: Input/output error");
}

}  // namespace
}  // namespace hdbench

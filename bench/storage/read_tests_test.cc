#include "bench/storage/io_tests.h"
#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kBlock = 4096;

// The column's blocks, in a process of their own.
Result<ProcessFigures> read_all(const MadeColumn& column, const std::string& name,
                                const std::string& engine) {
  std::vector<IoTest> tests;
  add_read_tests(tests);
  for (const IoTest& test : tests) {
    if (test.test != name || test.engine != engine || test.block_bytes != kBlock) continue;
    HDB_ASSIGN(const auto told, run_processes(1, 60, [&](Worker& worker) {
                 return test.work(worker, {&test, {}, {}, {}, 1, {&column, 1}});
               }));
    return told.front();
  }
  return data_error("no such test");
}

TEST_CASE("a column smaller than a block has none") {
  const ScratchDirectory place;
  const auto column = make_column(place / "small", {QType::kLong, 100, 1});
  REQUIRE(column.ok());
  const auto told = read_all(*column, "sequential-read", "pread");
  REQUIRE(told.ok());
  CHECK(told->operations == 0);
}

TEST_CASE("every engine reads and sums the bytes that were written, a block a lap") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  const auto in_order = read_all(*column, "sequential-read", "mmap");
  REQUIRE(in_order.ok());
  for (const char* engine : {"mmap", "mmap-random", "mmap-per-read", "pread", "direct"}) {
    const auto told = read_all(*column, "random-read", engine);
    if (!told.ok() && std::string_view(engine) == "direct") continue;  // tmpfs refuses it
    REQUIRE(told.ok());
    CHECK(told->checked);
    CHECK(told->checksum == in_order->checksum);
    CHECK(told->operations == 4);
    CHECK(told->latency.total() == 4);
    CHECK(told->bytes == 4 * kBlock);
  }
}

TEST_CASE("other bytes have another sum") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, kBlock / 8, 9});
  REQUIRE(column.ok());
  const auto file = open_for(column->path, 1);
  const std::byte wrong{1};
  REQUIRE(write_fully(*file, {&wrong, 1}, column->path, 100).ok());
  for (const char* engine : {"mmap", "mmap-per-read", "pread"}) {
    const auto told = read_all(*column, "random-read", engine);
    REQUIRE_FALSE(told.ok());
    CHECK(told.error().message.rfind(column->path.string() + ": the bytes' sum is ", 0) == 0);
  }
}

TEST_CASE("a file that was cut off is an error") {
  const ScratchDirectory place;
  const auto column = make_column(place / "longs", {QType::kLong, 4 * kBlock / 8, 9});
  REQUIRE(column.ok());
  std::filesystem::resize_file(column->path, kBlock);
  const auto told = read_all(*column, "sequential-read", "pread");
  REQUIRE_FALSE(told.ok());
  CHECK(told.error().message == column->path.string() + ": ended at byte 4096, expected 8192");
}

}  // namespace
}  // namespace hdbench::bench

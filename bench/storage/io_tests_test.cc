#include "bench/storage/io_tests.h"

#include <set>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/storage/column_file.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

IoOptions options() {
  IoOptions all;
  all.targets = {"/somewhere"};
  return all;
}

IoTarget disk() {
  IoTarget target;
  target.path = "/disk";
  target.filesystem = "ext4";
  target.direct_io = true;
  return target;
}

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

Status run_one(const std::string& name, IoTask task) {
  std::vector<IoTest> tests;
  add_table_tests(tests);
  for (const IoTest& test : tests) {
    if (test.test != name) continue;
    task.test = &test;
    const auto told = run_processes(1, 1, [&](Worker& worker) { return test.work(worker, task); });
    if (!told.ok()) return told.error();
    return told->front().checked ? ok_status() : data_error("not checked");
  }
  return data_error("no such test");
}

TEST_CASE("options are checked, and quick ones are small and short") {
  CHECK(checked_options({}).error().message == "io: give a directory to measure");
  IoOptions none = options();
  none.processes.clear();
  CHECK(checked_options(none).error().message == "--processes: no count");
  none.processes = {1, 65};
  CHECK(checked_options(none).error().message == "--processes: 65, expected 1 to 64");
  none = options();
  none.bytes = 1;
  CHECK(checked_options(none).error().message == "--size: 0 MiB, expected 16 or more");
  none = options();
  none.quick = true;
  CHECK(checked_options(none)->bytes == 16 << 20);
  CHECK(checked_options(none)->pass_seconds < 0.1);
}

TEST_CASE("room is requested by what the chosen tests have on disk") {
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 30;
  const auto wanted = [&](const char* tests, std::size_t processes) {
    IoOptions some = options();
    some.bytes = kBytes;
    some.tests = tests;
    std::vector<std::string> ignored;
    return disk_bytes(choose_tests(some, {disk()}, processes, ignored), vectors_of(kBytes),
                      processes);
  };
  CHECK(wanted("", 1) == kIoDiskTimes * kBytes);
  CHECK(wanted("sequential-write", 1) == kIoDiskTimes * kBytes);
  // The column, and the ceilings' file.
  CHECK(wanted("/random-read/block:4KiB/engine:pread/cache:cold/", 1) == 2 * kBytes);
  CHECK(wanted("/random-read/block:4KiB/engine:pread/cache:cold/", 4) == 2 * kBytes);
  // And in four files.
  CHECK(wanted("/random-read", 1) == 3 * kBytes);
}

TEST_CASE("vectors are nano's at its size, and scaled below it") {
  const IoVectors nano = vectors_of(std::uint64_t{8} << 30);
  CHECK(nano.huge == 1 << 30);
  CHECK(nano.large == 31 << 20);
  CHECK(nano.scale == 1);
  const IoVectors less = vectors_of(std::uint64_t{1} << 30);
  CHECK(less.huge == 1 << 27);
  CHECK(less.large == (31 << 20) / 8);
  CHECK(less.medium == 508 << 10);
  const IoVectors least = vectors_of(16 << 20);
  CHECK(least.large == least.medium);
  // Processes share what is large.
  const IoVectors one = vectors_a_process(less, 4);
  CHECK(one.huge == 1 << 25);
  CHECK(one.large == (31 << 20) / 32);
  CHECK(one.medium == 508 << 10);
}

TEST_CASE("a test's name is its own") {
  std::set<std::string> names;
  for (const IoTest& test : all_io_tests()) {
    const std::string name = name_of(test, 1);
    CHECK(names.insert(name).second);
    CHECK(name.rfind("io/" + test.test + "/", 0) == 0);
    CHECK_FALSE(test.what.empty());
    CHECK((test.unit == "MB/s" || test.unit == "ms"));
  }
  CHECK(names.count("io/random-read/block:64KiB/engine:mmap/cache:cold/processes:1") == 1);
  CHECK(names.count("io/write-sync/vector:huge/type:long/engine:write/sync:fsync/processes:1") ==
        1);
}

TEST_CASE("memory cannot be cold, and says so by name") {
  IoTarget memory;
  memory.path = "/dev/shm";
  memory.filesystem = "tmpfs";
  memory.memory = true;
  std::vector<std::string> left_out;
  for (const IoTest& test : choose_tests(options(), {memory}, 1, left_out)) {
    CHECK(test.cache != "cold");
    CHECK_FALSE(test.needs_direct());
  }
  CHECK(left_out ==
        std::vector<std::string>{"O_DIRECT: /dev/shm on tmpfs refuses it",
                                 "cold: /dev/shm is on tmpfs, which is memory: it cannot be cold"});
}

TEST_CASE("a DAX filesystem has neither cold nor warm") {
  IoTarget dax = disk();
  dax.dax = true;
  std::vector<std::string> left_out;
  std::set<std::string> caches;
  for (const IoTest& test : choose_tests(options(), {dax}, 1, left_out)) caches.insert(test.cache);
  CHECK(caches == std::set<std::string>{"dax", "none"});
}

TEST_CASE("a block larger than a process's file is left out") {
  IoOptions small = options();
  small.bytes = 16 << 20;
  small.tests = "random-read/block:8MiB";
  std::vector<std::string> left_out;
  CHECK(choose_tests(small, {disk()}, 2, left_out).size() == 4);
  CHECK(left_out.empty());
  CHECK(choose_tests(small, {disk()}, 4, left_out).empty());
  CHECK(left_out == std::vector<std::string>{
                        "random-read in blocks of 8MiB: a file of 4 processes is smaller"});
}

TEST_CASE("published figures stand beside the tests that they are of") {
  std::vector<std::string> left_out;
  IoOptions one = options();
  one.tests = "random-read/block:8MiB/engine:mmap/cache:cold";
  const auto tests = choose_tests(one, {disk()}, 1, left_out);
  REQUIRE(tests.size() == 1);
  CHECK(blank_result(tests.front(), 1).published ==
        "NVMe x24 828, PMem 1762 MiB/s (1); NVMe x4 6422, x1 2750 MB/s");
  CHECK(blank_result(tests.front(), 4).published ==
        "NVMe x24 12050, PMem 24700 MiB/s (36); NVMe x4 6422, x1 2750 MB/s");
  IoTest other = tests.front();
  other.block_bytes = 4096;
  CHECK(published_of(other, 1).empty());
  other = tests.front();
  other.engine = "direct";
  CHECK(published_of(other, 1).empty());
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

TEST_CASE("a table is sorted, flushed and parted as kdb+ would read it") {
  const ScratchDirectory place;
  IoTask task;
  task.directory = place.path();
  task.vectors.large = 20000;
  for (const char* name : {"sort", "sync-sorted", "apply-parted", "sync-parted"}) {
    const Status status = run_one(name, task);
    INFO((status.ok() ? std::string() : status.error().message));
    CHECK(status.ok());
  }
  REQUIRE(make_domain(place / "sym").ok());
  const auto store = make_page_cache_store();
  Domains domains(place.path());
  const auto column = read_column(place / "table" / "sym", *store, domains);
  REQUIRE(column.ok());
  CHECK(column->rows == 20000);
  CHECK(column->attribute == Attribute::kParted);
  const auto index = parted_index(*column);
  REQUIRE(index.ok());
  REQUIRE(*index != nullptr);
  CHECK((*index)->offsets.back() == 20000);
  CHECK((*index)->keys.size() > 3900);
}

}  // namespace
}  // namespace hdbench::bench

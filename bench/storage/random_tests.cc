// Reading in random places: each block of a process's column, once, in an order of its own. v1 of
// nano calls 8 MiB "1 MB" and 512 KiB "64 KB" (it counted elements); v6 has the bytes it says, and
// spreads a process's bytes over four files.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>

#include "bench/storage/io_test.h"
#include "bench/storage/read_block.h"

namespace hdbench {
namespace {

constexpr std::size_t kFilesOfV6 = 4;

Status read_at_random(Worker& worker, const IoTask& task, const IoTest& test) {
  struct Place {
    BlockReader* file;
    std::uint64_t block;
  };
  std::vector<std::unique_ptr<BlockReader>> files;
  std::vector<Place> places;
  for (const MadeColumn& column : task.columns) {
    files.push_back(std::make_unique<BlockReader>(column, test.block_bytes, test.engine));
    BlockReader* const file = files.back().get();
    HDB_TRY(file->open());
    for (std::uint64_t block = 0; block < file->blocks(); ++block) places.push_back({file, block});
  }
  std::mt19937_64 random(task.seed);
  std::shuffle(places.begin(), places.end(), random);
  HDB_TRY(worker.begin());
  for (const Place& place : places) {
    HDB_TRY(place.file->read_lap(worker, place.block));
    if (worker.is_over()) break;
  }
  worker.end();
  std::uint64_t sum = 0;
  std::uint64_t expected = 0;
  for (const auto& file : files) {
    sum += file->sum();
    expected += file->expected();
  }
  return worker.check_sum(sum, expected, task.columns.front().path.c_str());
}

void add(std::uint64_t block, const char* engine, const char* cache, std::vector<IoTest>& tests,
         std::size_t files = 1) {
  IoTest test;
  test.test = files == 1 ? "random-read" : fmt::format("random-read-{}-files", files);
  test.group = "read";
  test.what = files == 1 ? "a block in a random place, summed; none twice"
                         : "the same over four files, as nano v6 reads";
  test.files = files;
  test.block_bytes = block;
  test.engine = engine;
  test.cache = cache;
  test.vector = IoVector::kHuge;
  test.reads_column = true;
  test.needs_direct = test.engine == "direct";
  test.ceiling = test.cache == "cold" ? IoCeilingKind::kDeviceRead : IoCeilingKind::kMemoryRead;
  test.work = [test](Worker& worker, const IoTask& task) {
    return read_at_random(worker, task, test);
  };
  tests.push_back(std::move(test));
}

}  // namespace

void add_random_tests(std::vector<IoTest>& tests) {
  for (const std::uint64_t block : {8 << 20, 1 << 20, 512 << 10, 64 << 10, 4 << 10}) {
    for (const char* engine : {"mmap", "mmap-per-read"}) {
      for (const char* cache : {"cold", "warm"}) add(block, engine, cache, tests);
    }
    if (block == 8 << 20 || block == 512 << 10) continue;  // v1's: as it read them
    add(block, "mmap-random", "cold", tests);
    add(block, "pread", "cold", tests);
    add(block, "pread", "warm", tests);
    add(block, "direct", "cold", tests);
    for (const char* engine : {"mmap", "mmap-per-read"}) {
      for (const char* cache : {"cold", "warm"}) add(block, engine, cache, tests, kFilesOfV6);
    }
  }
}

}  // namespace hdbench

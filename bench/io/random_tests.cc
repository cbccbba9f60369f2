// Reading in random places: each block of one column a process, once, in an order of its own. v1 of
// nano calls 8 MiB "1 MB" and 512 KiB "64 KB" (it counted elements); v6 has the bytes it says.
#include <algorithm>
#include <numeric>
#include <random>

#include "bench/io/io_test.h"
#include "bench/io/read_block.h"

namespace hdbench {
namespace {

Status read_at_random(Worker& worker, const IoTask& task, const IoTest& test) {
  BlockReader reader(*task.column, test.block_bytes, test.engine);
  HDB_TRY(reader.open());
  std::vector<std::uint64_t> blocks(reader.blocks());
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
  std::mt19937_64 random(task.seed);
  std::shuffle(blocks.begin(), blocks.end(), random);
  HDB_TRY(worker.begin());
  for (const std::uint64_t block : blocks) {
    HDB_TRY(reader.read(block));
    worker.lap(test.block_bytes);
    if (worker.is_over()) break;
  }
  worker.end();
  return worker.check_sum(reader.sum(), reader.expected(), task.column->path.c_str());
}

void add(std::uint64_t block, const char* engine, const char* cache, std::vector<IoTest>& tests) {
  IoTest test;
  test.test = "random-read";
  test.group = "read";
  test.what = "a block in a random place, summed; none twice";
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
  }
}

}  // namespace hdbench

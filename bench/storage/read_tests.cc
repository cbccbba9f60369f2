// Reading in order: whole columns through a mapping, `read1`, and blocks by mmap, pread and
// O_DIRECT. Every byte is summed within the time.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "bench/storage/io_test.h"
#include "bench/storage/read_block.h"

namespace hdbench {
namespace {

// Opened, mapped and touched as kdb+ touches a column; again and again where it is small and warm.
Status read_mapped(Worker& worker, const IoTask& task, bool again) {
  const MadeColumn& column = task.columns.front();
  std::uint64_t sum = 0;
  std::uint64_t times = 0;
  HDB_TRY(worker.begin());
  do {
    HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDONLY));
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
               map_shared(file, column.bytes, PROT_READ, column.path));
    sum += sum_of(mapped->bytes());
    worker.lap(column.bytes);
    ++times;
  } while (again && !worker.is_over());
  worker.end();
  return worker.check_sum(sum, times * column.sum, column.path.c_str());
}

// The greatest of a mapped list. Requires: longs.
Status walk_list(Worker& worker, const IoTask& task) {
  const MadeColumn& column = task.columns.front();
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDONLY));
  HDB_TRY(worker.begin());
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
             map_shared(file, column.bytes, PROT_READ, column.path));
  const auto* values = reinterpret_cast<const std::int64_t*>(mapped->bytes().data()) + 2;
  std::int64_t greatest = INT64_MIN;
  for (std::uint64_t i = 0; i < column.spec.elements; ++i) {
    greatest = std::max(greatest, values[i]);
  }
  worker.lap(column.bytes);
  worker.end();
  return worker.check_sum(static_cast<std::uint64_t>(greatest),
                          static_cast<std::uint64_t>(column.greatest), column.path.c_str());
}

// open, stat, new memory, read, close; the memory given back.
Status read1(Worker& worker, const IoTask& task) {
  const MadeColumn& column = task.columns.front();
  HDB_TRY(worker.begin());
  HDB_ASSIGN(const OpenFile file, open_file(column.path));
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, map_anonymous(file.bytes));
  HDB_TRY(read_fully(file.handle, 0, memory->bytes(), column.path));
  const std::uint64_t sum = sum_of(memory->bytes());
  worker.lap(file.bytes);
  worker.end();
  return worker.check_sum(sum, column.sum, column.path.c_str());
}

Status read_in_order(Worker& worker, const IoTask& task, const IoTest& test) {
  BlockReader reader(task.columns.front(), test.block_bytes, test.engine);
  HDB_TRY(reader.open());
  HDB_TRY(worker.begin());
  for (std::uint64_t block = 0; block < reader.blocks() && !worker.is_over(); ++block) {
    HDB_TRY(reader.read_lap(worker, block));
  }
  worker.end();
  return worker.check_sum(reader.sum(), reader.expected(), task.columns.front().path.c_str());
}

IoTest column_test(const char* name, IoVector vector, QType type, const std::string& cache) {
  IoTest test;
  test.test = name;
  test.group = "read";
  test.engine = "mmap";
  test.cache = cache;
  test.vector = vector;
  test.type = type;
  test.reads_column = true;
  test.ceiling = cache == "cold" ? IoCeilingKind::kDeviceRead : IoCeilingKind::kMemoryRead;
  return test;
}

void add_columns(std::vector<IoTest>& tests) {
  struct Column {
    IoVector vector;
    QType type;
  };
  const Column columns[] = {
      {IoVector::kTiny, QType::kInt},    {IoVector::kSmall, QType::kInt},
      {IoVector::kMedium, QType::kInt},  {IoVector::kLarge, QType::kSymbol},
      {IoVector::kLarge, QType::kFloat}, {IoVector::kHuge, QType::kInt},
  };
  for (const Column& column : columns) {
    for (const char* cache : {"cold", "warm"}) {
      IoTest test = column_test("read", column.vector, column.type, cache);
      test.what = "open, map, sum a column, unmap";
      const bool again = test.cache == "warm";
      test.work = [again](Worker& worker, const IoTask& task) {
        return read_mapped(worker, task, again);
      };
      tests.push_back(std::move(test));
    }
  }
}

}  // namespace

void add_read_tests(std::vector<IoTest>& tests) {
  const auto add_long = [&](const char* name, const char* cache, const char* what, auto work) {
    IoTest test = column_test(name, IoVector::kHuge, QType::kLong, cache);
    test.what = what;
    test.work = work;
    tests.push_back(std::move(test));
  };
  const auto once = [](Worker& worker, const IoTask& task) {
    return read_mapped(worker, task, false);
  };
  add_long("streaming-read", "cold", "open, map, sum a column, unmap", once);
  add_long("reread", "warm", "the same in a new process", once);
  add_long("walk-list", "cold", "map a column, take its max", walk_list);
  add_long("walk-list", "warm", "map a column, take its max", walk_list);
  for (const char* cache : {"cold", "warm"}) {
    IoTest test = column_test("read1", IoVector::kHuge, QType::kLong, cache);
    test.engine = "read";
    test.what = "open, stat, read into new memory, close";
    test.work = read1;
    tests.push_back(std::move(test));
  }
  add_columns(tests);
  for (const std::uint64_t block : {4 << 10, 64 << 10, 1 << 20}) {
    for (const char* engine : {"mmap", "pread", "direct"}) {
      for (const char* cache : {"cold", "warm"}) {
        IoTest test = column_test("sequential-read", IoVector::kHuge, QType::kLong, cache);
        if (std::string_view(engine) == "direct" && test.cache == "warm") continue;
        test.what = "a block in order, summed";
        test.block_bytes = block;
        test.engine = engine;
        test.needs_direct = test.engine == "direct";
        test.work = [test](Worker& worker, const IoTask& task) {
          return read_in_order(worker, task, test);
        };
        tests.push_back(std::move(test));
      }
    }
  }
}

}  // namespace hdbench

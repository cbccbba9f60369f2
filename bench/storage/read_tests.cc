// Reading: whole columns through a mapping, `read1`, and blocks in order or in random places. Every
// byte is summed within the time.
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <random>

#include "bench/storage/io_tests.h"
#include "engine/base/bytes.h"
#include "engine/base/store.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

// Opened, mapped and touched as kdb+ touches a column; again and again where it is small and warm.
Status read_mapped(Worker& worker, const IoTask& task) {
  const bool again = task.test->test == "read" && task.test->cache != "cold";
  const MadeColumn& column = task.columns.front();
  std::uint64_t sum = 0;
  const auto read = [&](std::uint64_t) -> Status {
    HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDONLY));
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
               map_shared(file, column.bytes, PROT_READ, column.path));
    sum += sum_of(mapped->bytes());
    return ok_status();
  };
  HDB_ASSIGN(const std::uint64_t times, worker.repeat(column.bytes, again ? UINT64_MAX : 1, read));
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

// Of the blocks that were read, and as they were written.
struct BlockSums {
  std::uint64_t found = 0;
  std::uint64_t expected = 0;
};

// Reads blocks of a long column through one of the engines and sums them:
//
//   mmap           touched in one mapping, as kdb+ maps a column, without advice to the kernel
//   mmap-random    the same with MADV_RANDOM: nothing is read around a fault
//   mmap-per-read  opened, mapped, touched and unmapped for each block
//   pread          into a buffer, through the page cache
//   direct         into a buffer, past the page cache (O_DIRECT)
class BlockReader {
 public:
  // All of them outlive this.
  BlockReader(const MadeColumn& column, const IoTest& test, BlockSums& sums)
      : column_(column),
        sums_(sums),
        bytes_(test.block_bytes),
        engine_(test.engine),
        is_buffered_(engine_ == "pread" || engine_ == "direct") {}

  Status open() {
    if (engine_ == "mmap-per-read") return ok_status();
    HDB_ASSIGN(file_, open_for(column_.path, engine_ == "direct" ? O_RDONLY | O_DIRECT : O_RDONLY));
    if (is_buffered_) {
      HDB_ASSIGN(buffer_, map_huge_memory(std::max<std::uint64_t>(bytes_, kHugePageBytes)));
      // Its pages are there before the clock runs.
      for (std::size_t at = 0; at < bytes_; at += 4096) buffer_.bytes[at] = std::byte{1};
      return ok_status();
    }
    HDB_ASSIGN(mapped_, map_shared(file_, column_.bytes, PROT_READ, column_.path));
    if (engine_ == "mmap-random" &&
        ::madvise(mapped_->bytes().data(), column_.bytes, MADV_RANDOM) != 0) {
      return file_error(column_.path, "MADV_RANDOM", errno);
    }
    return ok_status();
  }

  // Whole ones in the file, its header among them.
  std::uint64_t blocks() const { return column_.bytes / bytes_; }

  // An operation of a worker's. A mapped block is read by summing it; of one that is read into a
  // buffer the latency is the read's alone.
  Status read_lap(Worker& worker, std::uint64_t block) {
    const std::uint64_t offset = block * bytes_;
    if (is_buffered_) {
      HDB_TRY(read_fully(file_, offset, buffer_.bytes.first(bytes_), column_.path));
      worker.lap(bytes_);
      add(buffer_.bytes.first(bytes_), offset);
      worker.begin_lap();
      return ok_status();
    }
    if (mapped_ != nullptr) {
      add(mapped_->bytes().subspan(offset, bytes_), offset);
    } else {
      HDB_ASSIGN(const OpenFile file, open_file(column_.path));
      HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
                 map_shared(file.handle, file.bytes, PROT_READ, column_.path));
      add(mapped->bytes().subspan(offset, bytes_), offset);
    }
    worker.lap(bytes_);
    return ok_status();
  }

 private:
  void add(std::span<const std::byte> block, std::uint64_t offset) {
    sums_.found += sum_of(block);
    sums_.expected += range_sum(column_.spec, offset / 8, bytes_ / 8);
  }

  const MadeColumn& column_;
  BlockSums& sums_;
  const std::uint64_t bytes_;
  const std::string& engine_;
  const bool is_buffered_;
  FileHandle file_;
  std::unique_ptr<MappedMemory> mapped_;
  Region buffer_;
};

// Each block of a process's files once: in order, or in a random order of its own.
Status read_each_block(Worker& worker, const IoTask& task) {
  struct Place {
    BlockReader* file;
    std::uint64_t block;
  };
  BlockSums sums;
  std::deque<BlockReader> files;
  std::vector<Place> places;
  for (const MadeColumn& column : task.columns) {
    BlockReader& file = files.emplace_back(column, *task.test, sums);
    HDB_TRY(file.open());
    for (std::uint64_t block = 0; block < file.blocks(); ++block) places.push_back({&file, block});
  }
  if (task.test->test != "sequential-read") {
    std::shuffle(places.begin(), places.end(), std::mt19937_64(task.seed));
  }
  HDB_TRY(worker.begin());
  for (const Place& place : places) {
    HDB_TRY(place.file->read_lap(worker, place.block));
    if (worker.is_over()) break;
  }
  worker.end();
  return worker.check_sum(sums.found, sums.expected, task.columns.front().path.c_str());
}

IoTest& add_read(std::vector<IoTest>& tests, const char* name, const char* engine,
                 const std::string& cache, const char* what, const IoWork& work,
                 TypedVector of = {IoVector::kHuge, QType::kLong}) {
  const bool is_cold = cache == "cold";
  IoTraits traits{of, "", is_cold ? IoCeilingKind::kDeviceRead : IoCeilingKind::kMemoryRead};
  traits.cache = cache.c_str();
  return add_test(tests, "read", name, engine, what, work, traits);
}

void add_columns(std::vector<IoTest>& tests) {
  const char* const map = "open, map, sum a column, unmap";
  const char* const walk = "map a column, take its max";
  add_read(tests, "streaming-read", "mmap", "cold", map, read_mapped);
  add_read(tests, "reread", "mmap", "warm", "the same in a new process", read_mapped);
  for (const char* cache : {"cold", "warm"}) {
    add_read(tests, "walk-list", "mmap", cache, walk, walk_list);
  }
  for (const char* cache : {"cold", "warm"}) {
    add_read(tests, "read1", "read", cache, "open, stat, read into new memory, close", read1);
  }
  for (const TypedVector& one : kSetVectors) {
    for (const char* cache : {"cold", "warm"}) {
      add_read(tests, "read", "mmap", cache, map, read_mapped, one);
    }
  }
}

// v1 of nano calls 8 MiB "1 MB" and 512 KiB "64 KB" (it counted elements); v6 has the bytes it
// says, and spreads a process's bytes over four files.
void add_random(std::uint64_t block, std::vector<IoTest>& tests) {
  const auto add = [&](const char* engine, const char* cache, std::size_t files = 1) {
    IoTest& test = files == 1
                       ? add_read(tests, "random-read", engine, cache,
                                  "a block in a random place, summed; none twice", read_each_block)
                       : add_read(tests, "random-read-4-files", engine, cache,
                                  "the same over four files, as nano v6 reads", read_each_block);
    test.files = files;
    test.block_bytes = block;
  };
  const auto add_mapped = [&](std::size_t files) {
    for (const char* engine : {"mmap", "mmap-per-read"}) {
      for (const char* cache : {"cold", "warm"}) add(engine, cache, files);
    }
  };
  add_mapped(1);
  if (block == 8 * kMiB || block == 512 * kKiB) return;  // v1's: as it read them
  add("mmap-random", "cold");
  add("pread", "cold");
  add("pread", "warm");
  add("direct", "cold");
  add_mapped(4);
}

}  // namespace

void add_read_tests(std::vector<IoTest>& tests) {
  add_columns(tests);
  for (const std::uint64_t block : {4 * kKiB, 64 * kKiB, kMiB}) {
    for (const std::string engine : {"mmap", "pread", "direct"}) {
      for (const std::string cache : {"cold", "warm"}) {
        if (engine == "direct" && cache == "warm") continue;
        add_read(tests, "sequential-read", engine.c_str(), cache, "a block in order, summed",
                 read_each_block)
            .block_bytes = block;
      }
    }
  }
  for (const std::uint64_t block : {8 * kMiB, kMiB, 512 * kKiB, 64 * kKiB, 4 * kKiB}) {
    add_random(block, tests);
  }
}

}  // namespace hdbench::bench

// Writing: lists laid out in memory, vectors set and flushed, blocks written in order; appending to
// files and columns; replacing a fifth of a column's elements in a mapping.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <random>

#include "bench/storage/io_tests.h"
#include "engine/base/bytes.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kHeaderWords = 2;  // of a column of longs

// A column's bytes in memory, as q holds them before `set`.
Result<std::unique_ptr<MappedMemory>> column_in_memory(const DataSpec& spec) {
  const std::uint64_t bytes = file_bytes(spec);
  HDB_ASSIGN(std::unique_ptr<MappedMemory> memory, map_anonymous((bytes + 7) / 8 * 8));
  fill_words(spec, 0, {reinterpret_cast<std::uint64_t*>(memory->bytes().data()), (bytes + 7) / 8});
  const std::vector<std::byte> header = header_of(spec);
  std::memcpy(memory->bytes().data(), header.data(), header.size());
  return memory;
}

// Creates, writes and flushes a vector; of "sync" the flush alone is timed. Vectors up to medium
// are set over and over, larger ones once.
Status set_vector(Worker& worker, const IoTask& task) {
  const IoTest& test = *task.test;
  const DataSpec spec{test.type, elements_of(task.vectors, test.vector), task.seed};
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, column_in_memory(spec));
  const std::span<const std::byte> bytes = memory->bytes().first(file_bytes(spec));
  const auto path = task.directory / "set";
  const bool once = test.vector == IoVector::kHuge || test.vector == IoVector::kLarge;
  const bool is_written_before = test.test == "sync";
  FileHandle file;
  const auto write = [&]() -> Status {
    HDB_ASSIGN(file, open_for(path, O_WRONLY | O_CREAT | O_TRUNC));
    return write_fully(file, bytes, path);
  };
  if (is_written_before) HDB_TRY(write());
  const auto set = [&](std::uint64_t) -> Status {
    if (!is_written_before) HDB_TRY(write());
    HDB_TRY(flush(file, path, test.sync));
    file = FileHandle();
    return ok_status();
  };
  HDB_TRY(worker.repeat(bytes.size(), once ? 1 : UINT64_MAX, set));
  return check_file(worker, path, sum_of(bytes));
}

// The words of a column that follow its header, whose sums are known.
void fill_block(const DataSpec& spec, std::uint64_t offset, std::span<std::byte> block) {
  fill_words(spec, kHeaderWords + offset / 8,
             {reinterpret_cast<std::uint64_t*>(block.data()), block.size() / 8});
}

Status create_list(Worker& worker, const IoTask& task) {
  const DataSpec spec{QType::kLong, task.vectors.huge, task.seed};
  HDB_TRY(worker.begin());
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, map_anonymous(spec.elements * 8));
  fill_block(spec, 0, memory->bytes());
  worker.lap(spec.elements * 8);
  worker.end();
  return worker.check_sum(sum_of(memory->bytes()), range_sum(spec, kHeaderWords, spec.elements),
                          "a list in memory");
}

// One file's blocks in order, until the time is over; then it is flushed, within the time.
Status write_blocks(Worker& worker, const IoTask& task) {
  const IoTest& test = *task.test;
  const auto path = task.directory / "blocks";
  const std::uint64_t bytes = task.vectors.huge * 8 / test.block_bytes * test.block_bytes;
  const DataSpec spec{QType::kLong, bytes / 8, task.seed};
  HDB_ASSIGN(const Region memory,
             map_huge_memory(std::max<std::uint64_t>(test.block_bytes, kHugePageBytes)));
  HDB_ASSIGN(const FileHandle file,
             open_for(path, O_RDWR | O_CREAT | O_TRUNC | (test.needs_direct() ? O_DIRECT : 0)));
  std::unique_ptr<MappedMemory> mapped;
  if (test.engine == "mmap") {
    if (const int failed = ::posix_fallocate(file.descriptor(), 0, static_cast<off_t>(bytes))) {
      return file_error(path, "cannot reserve its blocks", failed);
    }
    HDB_ASSIGN(mapped, map_shared(file, bytes, PROT_READ | PROT_WRITE, path));
  }
  HDB_TRY(worker.begin());
  std::uint64_t at = 0;
  for (; at < bytes && !worker.is_over(); at += test.block_bytes) {
    const auto block =
        (mapped ? mapped->bytes().subspan(at) : memory.bytes).first(test.block_bytes);
    fill_block(spec, at, block);
    if (!mapped) HDB_TRY(write_fully(file, block, path, at));
    worker.lap(test.block_bytes);
  }
  if (mapped && ::msync(mapped->bytes().data(), at, MS_SYNC) != 0) {
    return file_error(path, "cannot msync", errno);
  }
  if (!mapped) HDB_TRY(flush(file, path, "fdatasync"));
  worker.end();
  if (::ftruncate(file.descriptor(), static_cast<off_t>(at)) != 0) {
    return file_error(path, "cannot be cut off", errno);
  }
  return check_file(worker, path, range_sum(spec, kHeaderWords, at / 8));
}

// Appends a vector to a small file, or a tiny one to a column, again and again. The sum of a file
// is that of its words only where they begin on a word's boundary: what is appended here is whole
// words.
Status append(Worker& worker, const IoTask& task) {
  const IoTest& test = *task.test;
  const bool is_column = test.test == "append-column";
  const std::uint64_t of_vector = elements_of(task.vectors, test.vector);
  const std::uint64_t elements = is_column ? task.vectors.tiny : of_vector;
  std::vector<std::uint64_t> words((elements * type_width(test.type) + 7) / 8);
  fill_words({test.type, elements, task.seed + 1}, 0, words);
  const auto piece = std::as_bytes(std::span(words));
  HDB_ASSIGN(
      const MadeColumn column,
      make_column(task.directory / "appended", {test.type, is_column ? of_vector : 2, task.seed}));
  const bool is_kept = test.test == "handle-append";
  HDB_ASSIGN(const FileHandle handle, open_for(column.path, O_WRONLY | O_APPEND));
  const std::uint64_t most = (task.vectors.huge * 8 + piece.size() - 1) / piece.size();
  HDB_ASSIGN(const std::uint64_t done, worker.repeat(piece.size(), most, [&](std::uint64_t) {
    return is_kept ? write_fully(handle, piece, column.path) : append_to(column.path, piece);
  }));
  return check_file(worker, column.path, column.sum + done * sum_of(piece));
}

constexpr std::uint64_t kOneIn = 5;
constexpr std::uint64_t kAdded = 0x0123456789abcdefu;

// Distinct ones: one of each five neighbours.
std::vector<std::uint64_t> places_of(std::uint64_t elements, std::uint64_t seed, bool in_order) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> places(elements / kOneIn);
  for (std::uint64_t k = 0; k < places.size(); ++k) places[k] = k * kOneIn + random() % kOneIn;
  if (!in_order) std::shuffle(places.begin(), places.end(), random);
  return places;
}

Status replace(Worker& worker, const IoTask& task) {
  const DataSpec spec{QType::kLong, task.vectors.large, task.seed};
  HDB_ASSIGN(const MadeColumn column, make_column(task.directory / "replaced", spec));
  const std::vector<std::uint64_t> places =
      places_of(spec.elements, task.seed, task.test->test == "replace-sorted");
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDWR));
  HDB_TRY(worker.repeat(places.size() * 8, 1, [&](std::uint64_t) -> Status {
    HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
               map_shared(file, column.bytes, PROT_READ | PROT_WRITE, column.path));
    auto* values = reinterpret_cast<std::uint64_t*>(mapped->bytes().data()) + 2;
    for (const std::uint64_t place : places) values[place] += kAdded;
    if (::msync(mapped->bytes().data(), column.bytes, MS_SYNC) != 0) {
      return file_error(column.path, "cannot msync", errno);
    }
    return ok_status();
  }));
  return check_file(worker, column.path, column.sum + places.size() * kAdded);
}

}  // namespace

void add_write_tests(std::vector<IoTest>& tests) {
  const auto add = [&](const char* name, TypedVector one, const char* sync, const char* what) {
    const bool is_flushed = std::string_view(sync) != "none";
    add_test(tests, "write", name, "write", what, set_vector,
             {one, sync, is_flushed ? IoCeilingKind::kDeviceWrite : IoCeilingKind::kMemoryWrite});
  };
  const TypedVector huge{IoVector::kHuge, QType::kLong};
  add_test(tests, "write", "create-list", "memory", "new memory filled with a list", create_list,
           {huge, "", IoCeilingKind::kMemoryWrite});
  add("write-sync", huge, "fsync", "create, write a vector, fsync, close");
  add("write-sync", huge, "fdatasync", "create, write a vector, fdatasync, close");
  add("sync", huge, "fsync", "fsync of a vector just written");
  for (const TypedVector& one : kSetVectors) {
    add("set", one, "none", "create, write a vector, close");
    add("set", one, "fsync", "create, write a vector, fsync, close");
  }
  for (const std::uint64_t block : {64 * kKiB, kMiB}) {
    for (const std::string engine : {"pwrite", "mmap", "direct"}) {
      add_test(tests, "write", "sequential-write", engine.c_str(),
               "a block in order; all flushed within the time", write_blocks,
               {{}, engine == "mmap" ? "msync" : "fdatasync", IoCeilingKind::kDeviceWrite, block});
    }
  }
}

void add_append_tests(std::vector<IoTest>& tests) {
  const auto add = [&](const char* name, IoVector vector, QType type, const char* what) {
    add_test(tests, "append", name, "write", what, append,
             {{vector, type}, "none", IoCeilingKind::kMemoryWrite});
  };
  for (const IoVector vector : {IoVector::kTiny, IoVector::kSmall}) {
    add("open-append", vector, QType::kLong,
        "a vector at the file's end: open, stat, seek, write, close");
  }
  for (const IoVector vector : {IoVector::kTiny, IoVector::kSmall, IoVector::kMedium}) {
    add("handle-append", vector, QType::kLong,
        "a vector at the end of a file that stays open: write");
  }
  for (const QType type : {QType::kFloat, QType::kSymbol}) {
    add("append-column", IoVector::kMedium, type,
        "a tiny vector to a column: open, stat, seek, write, close");
  }
}

void add_replace_tests(std::vector<IoTest>& tests) {
  for (const char* name : {"replace-random", "replace-sorted"}) {
    add_test(tests, "replace", name, "mmap",
             "a fifth of a column's elements: map, assign, msync, unmap", replace,
             {{IoVector::kLarge}, "msync", IoCeilingKind::kDeviceWrite});
  }
}

}  // namespace hdbench::bench

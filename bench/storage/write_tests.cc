// Writing: lists laid out in memory, vectors set and flushed, blocks written in order.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bench/storage/io_test.h"
#include "engine/base/units.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench {
namespace {

// A column's bytes in memory, as q holds them before `set`.
Result<std::unique_ptr<MappedMemory>> column_in_memory(const DataSpec& spec) {
  const std::uint64_t bytes = file_bytes(spec);
  HDB_ASSIGN(std::unique_ptr<MappedMemory> memory, map_anonymous((bytes + 7) / 8 * 8));
  fill_words(spec, 0, {reinterpret_cast<std::uint64_t*>(memory->bytes().data()), (bytes + 7) / 8});
  const std::vector<std::byte> header = header_of(spec);
  std::memcpy(memory->bytes().data(), header.data(), header.size());
  return memory;
}

Status check_file(Worker& worker, const std::filesystem::path& path,
                  std::span<const std::byte> expected) {
  HDB_ASSIGN(const std::uint64_t found, sum_of_file(path));
  return worker.check_sum(found, sum_of(expected), path.c_str());
}

DataSpec spec_of(const IoTest& test, const IoTask& task) {
  return {test.type, elements_of(task.vectors, test.vector), task.seed};
}

// What is timed of a vector that is set.
enum class Timed : std::uint8_t { kAll, kSync };

// Vectors up to medium are set over and over, larger ones once.
Status set_vector(Worker& worker, const IoTask& task, const IoTest& test, SyncCall sync,
                  Timed timed) {
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, column_in_memory(spec_of(test, task)));
  const auto bytes =
      std::span<const std::byte>(memory->bytes()).first(file_bytes(spec_of(test, task)));
  const auto path = task.directory / "set";
  const bool once = test.vector == IoVector::kHuge || test.vector == IoVector::kLarge;
  FileHandle file;
  const auto write = [&]() -> Status {
    HDB_ASSIGN(file, open_for(path, O_WRONLY | O_CREAT | O_TRUNC));
    return write_fully(file, bytes, path);
  };
  if (timed == Timed::kSync) HDB_TRY(write());
  HDB_TRY(worker.begin());
  do {
    if (timed == Timed::kAll) HDB_TRY(write());
    HDB_TRY(flush(file, path, sync));
    file = FileHandle();
    worker.lap(bytes.size());
  } while (!once && !worker.is_over());
  worker.end();
  return check_file(worker, path, bytes);
}

Status create_list(Worker& worker, const IoTask& task) {
  const DataSpec spec{QType::kLong, task.vectors.huge, task.seed};
  HDB_TRY(worker.begin());
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, map_anonymous(spec.elements * 8));
  fill_words(spec, 0, {reinterpret_cast<std::uint64_t*>(memory->bytes().data()), spec.elements});
  worker.lap(spec.elements * 8);
  worker.end();
  std::uint64_t expected = range_sum(spec, 0, spec.elements);
  const std::vector<std::byte> header = header_of(spec);  // a list in memory has none
  std::uint64_t beginning[2];
  fill_words(spec, 0, beginning);
  for (int k = 0; k < 2; ++k) {
    std::uint64_t of_header = 0;
    std::memcpy(&of_header, header.data() + k * 8, 8);
    expected += beginning[k] - of_header;
  }
  return worker.check_sum(sum_of(memory->bytes()), expected, "a list in memory");
}

// One file's blocks in order, until the time is over; then it is flushed, within the time.
class BlockWriter {
 public:
  BlockWriter(const IoTask& task, const IoTest& test)
      : path_(task.directory / "blocks"),
        block_(test.block_bytes),
        bytes_(task.vectors.huge * 8 / block_ * block_),
        spec_{QType::kLong, bytes_ / 8, task.seed} {}

  Status run(Worker& worker, const std::string& engine) {
    HDB_ASSIGN(memory_, map_huge_memory(std::max<std::uint64_t>(block_, kHugePageBytes)));
    const int direct = engine == "direct" ? O_DIRECT : 0;
    HDB_ASSIGN(file_, open_for(path_, O_RDWR | O_CREAT | O_TRUNC | direct));
    std::unique_ptr<MappedMemory> mapped;
    if (engine == "mmap") {
      if (const int failed = ::posix_fallocate(file_.descriptor(), 0, static_cast<off_t>(bytes_))) {
        return file_error(path_, "cannot reserve its blocks", failed);
      }
      HDB_ASSIGN(mapped, map_shared(file_, bytes_, PROT_READ | PROT_WRITE, path_));
    }
    HDB_TRY(worker.begin());
    std::uint64_t at = 0;
    for (; at < bytes_ && !worker.is_over(); at += block_) {
      HDB_TRY(write(at, mapped.get()));
      worker.lap(block_);
    }
    if (mapped && ::msync(mapped->bytes().data(), at, MS_SYNC) != 0) {
      return file_error(path_, "cannot msync", errno);
    }
    if (!mapped) HDB_TRY(flush(file_, path_, SyncCall::kDataSync));
    worker.end();
    if (::ftruncate(file_.descriptor(), static_cast<off_t>(at)) != 0) {
      return file_error(path_, "cannot be cut off", errno);
    }
    HDB_ASSIGN(const std::uint64_t found, sum_of_file(path_));
    return worker.check_sum(found, expected_, path_.c_str());
  }

 private:
  Status write(std::uint64_t at, const MappedMemory* mapped) {
    std::byte* to = mapped != nullptr ? mapped->bytes().data() + at : memory_.bytes.data();
    const std::uint64_t words = block_ / 8;
    fill_words(spec_, at / 8, {reinterpret_cast<std::uint64_t*>(to), words});
    // range_sum() has the header's words in place of the first two.
    expected_ += at == 0 ? sum_of({to, block_}) : range_sum(spec_, at / 8, words);
    if (mapped != nullptr) return ok_status();
    return write_fully_at(file_, at, {to, block_}, path_);
  }

  std::filesystem::path path_;
  std::uint64_t block_;
  std::uint64_t bytes_;
  DataSpec spec_;
  Region memory_;
  FileHandle file_;
  std::uint64_t expected_ = 0;
};

struct SetVector {
  IoVector vector;
  QType type;
};

void add_set_tests(std::vector<IoTest>& tests) {
  const SetVector vectors[] = {
      {IoVector::kTiny, QType::kInt},    {IoVector::kSmall, QType::kInt},
      {IoVector::kMedium, QType::kInt},  {IoVector::kLarge, QType::kSymbol},
      {IoVector::kLarge, QType::kFloat}, {IoVector::kHuge, QType::kInt},
  };
  const auto add = [&](const char* name, SetVector one, SyncCall sync, Timed timed,
                       const char* what) {
    IoTest test;
    test.test = name;
    test.group = "write";
    test.what = what;
    test.engine = "write";
    test.vector = one.vector;
    test.type = one.type;
    test.sync = word(sync);
    test.ceiling =
        sync == SyncCall::kNone ? IoCeilingKind::kMemoryWrite : IoCeilingKind::kDeviceWrite;
    test.work = [test, sync, timed](Worker& worker, const IoTask& task) {
      return set_vector(worker, task, test, sync, timed);
    };
    tests.push_back(std::move(test));
  };
  const SetVector huge{IoVector::kHuge, QType::kLong};
  add("write-sync", huge, SyncCall::kSync, Timed::kAll, "create, write a vector, fsync, close");
  add("write-sync", huge, SyncCall::kDataSync, Timed::kAll,
      "create, write a vector, fdatasync, close");
  add("sync", huge, SyncCall::kSync, Timed::kSync, "fsync of a vector just written");
  for (const SetVector& one : vectors) {
    add("set", one, SyncCall::kNone, Timed::kAll, "create, write a vector, close");
    add("set", one, SyncCall::kSync, Timed::kAll, "create, write a vector, fsync, close");
  }
}

}  // namespace

void add_write_tests(std::vector<IoTest>& tests) {
  IoTest list;
  list.test = "create-list";
  list.group = "write";
  list.what = "new memory filled with a list";
  list.engine = "memory";
  list.vector = IoVector::kHuge;
  list.ceiling = IoCeilingKind::kMemoryWrite;
  list.work = create_list;
  tests.push_back(std::move(list));
  add_set_tests(tests);
  for (const std::uint64_t block : {64 * 1024 * std::uint64_t{1}, kMiB}) {
    for (const char* engine : {"pwrite", "mmap", "direct"}) {
      IoTest test;
      test.test = "sequential-write";
      test.group = "write";
      test.what = "a block in order; all flushed within the time";
      test.block_bytes = block;
      test.engine = engine;
      test.sync = test.engine == "mmap" ? "msync" : "fdatasync";
      test.ceiling = IoCeilingKind::kDeviceWrite;
      test.needs_direct = test.engine == "direct";
      test.work = [test](Worker& worker, const IoTask& task) {
        return BlockWriter(task, test).run(worker, test.engine);
      };
      tests.push_back(std::move(test));
    }
  }
}

}  // namespace hdbench

// Metadata: the calls that kdb+ makes for small things, one file a process, over and over; and the
// extension of one symbol list that all processes share.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "bench/storage/io_test.h"

namespace hdbench {
namespace {

constexpr std::uint64_t kFileElements = (128 * 1024 - 16) / 8;  // 128 KiB with the header
constexpr std::uint64_t kAppended = 2;                          // `2 3`
constexpr std::size_t kOperationsMax = 20000;

DataSpec small_file(const IoTask& task) { return {QType::kLong, kFileElements, task.seed}; }

Result<off_t> seek(const FileHandle& file, off_t offset, int from,
                   const std::filesystem::path& path) {
  const off_t at = ::lseek(file.descriptor(), offset, from);
  if (at < 0) return file_error(path, "cannot seek", errno);
  return at;
}

Result<std::uint64_t> stat_bytes(const FileHandle& file, const std::filesystem::path& path) {
  struct stat status = {};
  if (::fstat(file.descriptor(), &status) != 0) return file_error(path, "cannot stat", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

Status open_close(const MadeColumn& column) {
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDWR));
  HDB_ASSIGN([[maybe_unused]] const off_t end, seek(file, 0, SEEK_END, column.path));
  return ok_status();
}

// open, stat, seek, write, close.
Status append(const MadeColumn& column, std::uint64_t value) {
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDWR));
  HDB_ASSIGN(const std::uint64_t bytes, stat_bytes(file, column.path));
  HDB_ASSIGN([[maybe_unused]] const off_t at,
             seek(file, static_cast<off_t>(bytes), SEEK_SET, column.path));
  const std::uint64_t words[kAppended] = {value, value + 1};
  return write_fully(file, std::as_bytes(std::span(words)), column.path);
}

// A whole small file beside the one that is there, then renamed over it.
Status assign(const MadeColumn& column, std::uint64_t value) {
  struct stat status = {};
  if (::stat(column.path.c_str(), &status) != 0) {
    return file_error(column.path, "cannot stat", errno);
  }
  const std::string beside = column.path.string() + "$";
  HDB_ASSIGN(const FileHandle file, open_for(beside, O_WRONLY | O_CREAT | O_TRUNC));
  HDB_ASSIGN([[maybe_unused]] const off_t at, seek(file, 0, SEEK_SET, beside));
  std::vector<std::byte> bytes = header_of({QType::kLong, kAppended, 0});
  const std::uint64_t words[kAppended] = {value, value + 1};
  const auto data = std::as_bytes(std::span(words));
  bytes.insert(bytes.end(), data.begin(), data.end());
  HDB_TRY(write_fully(file, bytes, beside));
  if (::rename(beside.c_str(), column.path.c_str()) != 0) {
    return file_error(column.path, "cannot rename over it", errno);
  }
  return ok_status();
}

Status hcount(const MadeColumn& column, std::uint64_t expected) {
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDONLY));
  HDB_ASSIGN(const std::uint64_t bytes, stat_bytes(file, column.path));
  if (bytes == expected) return ok_status();
  return data_error(column.path.string() + ": another length than written");
}

// open, stat, seek, memory, read, close, memory given back.
Status read1(const MadeColumn& column) {
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDONLY));
  HDB_ASSIGN(const std::uint64_t bytes, stat_bytes(file, column.path));
  HDB_ASSIGN([[maybe_unused]] const off_t at, seek(file, 0, SEEK_SET, column.path));
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, map_anonymous(bytes));
  HDB_TRY(read_fully(file, 0, memory->bytes(), column.path));
  if (sum_of(memory->bytes()) == column.sum) return ok_status();
  return data_error(column.path.string() + ": other bytes than written");
}

struct Metadata {
  const char* name;
  const char* what;
  Status (*call)(const MadeColumn& column, std::uint64_t k);
};

constexpr Metadata kMetadata[] = {
    {"open-close", "`hclose hopen`: open, seek, close",
     [](const MadeColumn& column, std::uint64_t) { return open_close(column); }},
    {"append", "`();,;2 3` to 128 KiB: open, stat, seek, write, close", append},
    {"assign", "`();:;2 3`: stat, open, seek, write, close, rename", assign},
    {"hcount", "`hcount` of 128 KiB: open, stat, close",
     [](const MadeColumn& column, std::uint64_t) { return hcount(column, column.bytes); }},
    {"read1-small", "`read1` of 128 KiB: open, stat, seek, mmap, read, close, munmap",
     [](const MadeColumn& column, std::uint64_t) { return read1(column); }},
};

Status run_metadata(Worker& worker, const IoTask& task, const Metadata& metadata) {
  HDB_ASSIGN(const MadeColumn column, make_column(task.directory / "metadata", small_file(task)));
  HDB_TRY(worker.begin());
  std::uint64_t done = 0;
  for (; done < kOperationsMax && !worker.is_over(); ++done) {
    HDB_TRY(metadata.call(column, done));
    worker.lap(0);
  }
  worker.end();
  std::uint64_t expected = column.sum;
  if (metadata.call == append) expected += done * done;  // 0 + 1, 1 + 2, ...
  if (metadata.call == assign) {
    const auto header = header_of({QType::kLong, kAppended, 0});
    expected = sum_of(header) + 2 * done - 1;
  }
  HDB_ASSIGN(const std::uint64_t found, sum_of_file(column.path));
  return worker.check_sum(found, expected, column.path.c_str());
}

// `?` of a symbol that the list does not have: open, lock, read what others added, append, unlock.
Status extend(const std::filesystem::path& path, const std::string& symbol, std::size_t& known) {
  HDB_ASSIGN(const FileHandle file, open_for(path, O_RDWR));
  if (::flock(file.descriptor(), LOCK_EX) != 0) return file_error(path, "cannot lock", errno);
  HDB_ASSIGN(const std::uint64_t bytes, stat_bytes(file, path));
  if (bytes > known) {
    std::vector<std::byte> added(bytes - known);
    HDB_TRY(read_fully(file, known, added, path));
  }
  HDB_TRY(write_fully_at(file, bytes, std::as_bytes(std::span(symbol.c_str(), symbol.size() + 1)),
                         path));
  known = bytes + symbol.size() + 1;
  if (::flock(file.descriptor(), LOCK_UN) != 0) return file_error(path, "cannot unlock", errno);
  return ok_status();
}

// How many of this process's symbols the list has.
Result<std::uint64_t> count_of(const std::filesystem::path& path, const std::string& prefix) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  std::string text(file.bytes, '\0');
  HDB_TRY(read_fully(file.handle, 0, std::as_writable_bytes(std::span(text)), path));
  const std::string wanted = '\0' + prefix;
  std::uint64_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    ++count;
  return count;
}

Status extend_domain(Worker& worker, const IoTask& task) {
  const auto path = task.shared_directory / "sym";
  const std::string prefix = "p" + std::to_string(worker.index()) + "x";
  if (worker.index() == 0) HDB_TRY(make_domain(path));
  HDB_TRY(worker.begin());
  std::size_t known = 0;
  std::uint64_t done = 0;
  for (; done < kOperationsMax && !worker.is_over(); ++done) {
    HDB_TRY(extend(path, prefix + std::to_string(done), known));
    worker.lap(0);
  }
  worker.end();
  HDB_ASSIGN(const std::uint64_t found, count_of(path, prefix));
  return worker.check_sum(found, done, path.c_str());
}

IoTest metadata_test(const char* name, const char* what) {
  IoTest test;
  test.test = name;
  test.group = "metadata";
  test.unit = "ms";
  test.what = what;
  test.engine = "calls";
  return test;
}

}  // namespace

void add_metadata_tests(std::vector<IoTest>& tests) {
  for (const Metadata& metadata : kMetadata) {
    IoTest test = metadata_test(metadata.name, metadata.what);
    test.work = [&metadata](Worker& worker, const IoTask& task) {
      return run_metadata(worker, task, metadata);
    };
    tests.push_back(std::move(test));
  }
  IoTest enumerate =
      metadata_test("enum-extend",
                    "a new symbol into one list of all processes: open, lock, read, write, unlock");
  enumerate.work = extend_domain;
  tests.push_back(std::move(enumerate));
}

}  // namespace hdbench

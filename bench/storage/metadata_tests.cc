// Metadata: the calls that kdb+ makes for small things, one file a process, over and over; and the
// extension of one symbol list that all processes share.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kFileElements = (128 * 1024 - 16) / 8;  // 128 KiB with the header
constexpr std::uint64_t kAppended = 2;                          // `2 3`
constexpr std::size_t kOperationsMax = 20000;

std::vector<std::byte> appended(std::uint64_t value) {
  const std::uint64_t words[kAppended] = {value, value + 1};
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

Status open_close(const MadeColumn& column, std::uint64_t) {
  HDB_ASSIGN(const FileHandle file, open_for(column.path, O_RDWR));
  return seek(file, 0, SEEK_END, column.path);
}

Status append_two(const MadeColumn& column, std::uint64_t value) {
  return append_to(column.path, appended(value));
}

// A whole small file beside the one that is there, then renamed over it.
Status assign(const MadeColumn& column, std::uint64_t value) {
  struct stat status = {};
  if (::stat(column.path.c_str(), &status) != 0) {
    return file_error(column.path, "cannot stat", errno);
  }
  const std::string beside = column.path.string() + "$";
  HDB_ASSIGN(const FileHandle file, open_for(beside, O_WRONLY | O_CREAT | O_TRUNC));
  HDB_TRY(seek(file, 0, SEEK_SET, beside));
  std::vector<std::byte> bytes = header_of({QType::kLong, kAppended, 0});
  const std::vector<std::byte> data = appended(value);
  bytes.insert(bytes.end(), data.begin(), data.end());
  HDB_TRY(write_fully(file, bytes, beside));
  return rename_over(beside, column.path);
}

Status hcount(const MadeColumn& column, std::uint64_t) {
  HDB_ASSIGN(const OpenFile file, open_file(column.path));
  if (file.bytes == column.bytes) return ok_status();
  return data_error(column.path.string() + ": another length than written");
}

// open, stat, seek, memory, read, close, memory given back.
Status read1_small(const MadeColumn& column, std::uint64_t) {
  HDB_ASSIGN(const OpenFile file, open_file(column.path));
  HDB_TRY(seek(file.handle, 0, SEEK_SET, column.path));
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> memory, map_anonymous(file.bytes));
  HDB_TRY(read_fully(file.handle, 0, memory->bytes(), column.path));
  if (sum_of(memory->bytes()) == column.sum) return ok_status();
  return data_error(column.path.string() + ": other bytes than written");
}

struct Metadata {
  const char* name;
  const char* what;
  Status (*call)(const MadeColumn& column, std::uint64_t k);
};

constexpr Metadata kMetadata[] = {
    {"open-close", "`hclose hopen`: open, seek, close", open_close},
    {"append", "`();,;2 3` to 128 KiB: open, stat, seek, write, close", append_two},
    {"assign", "`();:;2 3`: stat, open, seek, write, close, rename", assign},
    {"hcount", "`hcount` of 128 KiB: open, stat, close", hcount},
    {"read1-small", "`read1` of 128 KiB: open, stat, seek, mmap, read, close, munmap", read1_small},
};

Status run_metadata(Worker& worker, const IoTask& task, const Metadata& metadata) {
  HDB_ASSIGN(const MadeColumn column,
             make_column(task.directory / "metadata", {QType::kLong, kFileElements, task.seed}));
  HDB_ASSIGN(const std::uint64_t done, worker.repeat(0, kOperationsMax, [&](std::uint64_t k) {
    return metadata.call(column, k);
  }));
  std::uint64_t expected = column.sum;
  if (metadata.call == append_two) expected += done * done;  // 0 + 1, 1 + 2, ...
  if (metadata.call == assign) {
    expected = sum_of(header_of({QType::kLong, kAppended, 0})) + 2 * done - 1;
  }
  return check_file(worker, column.path, expected);
}

// `?` of a symbol that the list does not have: open, lock, read what others added, append, unlock.
Status extend(const std::filesystem::path& path, const std::string& symbol, std::size_t& known) {
  HDB_ASSIGN(const FileHandle file, open_for(path, O_RDWR));
  if (::flock(file.descriptor(), LOCK_EX) != 0) return file_error(path, "cannot lock", errno);
  HDB_ASSIGN(const std::uint64_t bytes, stat_bytes(file, path));
  std::vector<std::byte> added(bytes - known);
  HDB_TRY(read_fully(file, known, added, path));
  HDB_TRY(
      write_fully(file, std::as_bytes(std::span(symbol.c_str(), symbol.size() + 1)), path, bytes));
  known = bytes + symbol.size() + 1;
  if (::flock(file.descriptor(), LOCK_UN) != 0) return file_error(path, "cannot unlock", errno);
  return ok_status();
}

// How many of this process's symbols the list has.
Result<std::uint64_t> count_in(const std::filesystem::path& path, const std::string& prefix) {
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
  std::size_t known = 0;
  HDB_ASSIGN(const std::uint64_t done, worker.repeat(0, kOperationsMax, [&](std::uint64_t k) {
    return extend(path, prefix + std::to_string(k), known);
  }));
  HDB_ASSIGN(const std::uint64_t found, count_in(path, prefix));
  return worker.check_sum(found, done, path.c_str());
}

}  // namespace

void add_metadata_tests(std::vector<IoTest>& tests) {
  for (const Metadata& metadata : kMetadata) {
    add_test(tests, "metadata", metadata.name, "calls", metadata.what,
             [&metadata](Worker& worker, const IoTask& task) {
               return run_metadata(worker, task, metadata);
             },
             {.unit = "ms"});
  }
  add_test(tests, "metadata", "enum-extend", "calls",
           "a new symbol into one list of all processes: open, lock, read, write, unlock",
           extend_domain, {.unit = "ms"});
}

}  // namespace hdbench::bench

// Appending: small vectors to a file that is opened each time or kept open, and to columns.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bench/storage/io_test.h"

namespace hdbench {
namespace {

enum class Kept : std::uint8_t { kOpenedEach, kHandle };

// What is appended: so many of the column's elements, the same each time.
std::vector<std::uint64_t> piece_of(const IoTask& task, QType type, std::uint64_t elements) {
  std::vector<std::uint64_t> words((elements * element_bytes(type) + 7) / 8);
  fill_words({type, elements, task.seed + 1}, 0, words);
  return words;
}

// open, stat, seek, write, close.
Status append_opened(const std::filesystem::path& path, std::span<const std::byte> piece) {
  HDB_ASSIGN(const FileHandle file, open_for(path, O_WRONLY));
  struct stat status = {};
  if (::fstat(file.descriptor(), &status) != 0) return file_error(path, "cannot stat", errno);
  if (::lseek(file.descriptor(), status.st_size, SEEK_SET) < 0) {
    return file_error(path, "cannot seek", errno);
  }
  return write_fully(file, piece, path);
}

// The sum of a file is that of its words only where they begin on a word's boundary: pieces here
// are whole words.
Status append_pieces(Worker& worker, const IoTask& task, const DataSpec& begun,
                     std::span<const std::uint64_t> words, Kept kept) {
  HDB_ASSIGN(const MadeColumn column, make_column(task.directory / "appended", begun));
  const auto piece = std::as_bytes(words);
  HDB_ASSIGN(const FileHandle handle, open_for(column.path, O_WRONLY | O_APPEND));
  const std::uint64_t bytes_max = std::max<std::uint64_t>(task.vectors.huge * 8, piece.size());
  std::uint64_t done = 0;
  HDB_TRY(worker.begin());
  while (!worker.is_over() && done * piece.size() < bytes_max) {
    HDB_TRY(kept == Kept::kHandle ? write_fully(handle, piece, column.path)
                                  : append_opened(column.path, piece));
    worker.lap(piece.size());
    ++done;
  }
  worker.end();
  HDB_ASSIGN(const std::uint64_t found, sum_of_file(column.path));
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return worker.check_sum(found, column.sum + done * sum, column.path.c_str());
}

IoTest append_test(const char* name, IoVector vector, QType type, const char* what) {
  IoTest test;
  test.test = name;
  test.group = "append";
  test.what = what;
  test.engine = "write";
  test.vector = vector;
  test.type = type;
  test.sync = "none";
  test.ceiling = IoCeilingKind::kMemoryWrite;
  return test;
}

}  // namespace

void add_append_tests(std::vector<IoTest>& tests) {
  const auto add = [&](const char* name, IoVector vector, Kept kept, const char* what) {
    IoTest test = append_test(name, vector, QType::kLong, what);
    test.work = [vector, kept](Worker& worker, const IoTask& task) {
      const auto words = piece_of(task, QType::kLong, elements_of(task.vectors, vector));
      return append_pieces(worker, task, {QType::kLong, 2, task.seed}, words, kept);
    };
    tests.push_back(std::move(test));
  };
  const char* opened = "a vector at the file's end: open, stat, seek, write, close";
  const char* handle = "a vector at the end of a file that stays open: write";
  add("open-append", IoVector::kTiny, Kept::kOpenedEach, opened);
  add("open-append", IoVector::kSmall, Kept::kOpenedEach, opened);
  add("handle-append", IoVector::kTiny, Kept::kHandle, handle);
  add("handle-append", IoVector::kSmall, Kept::kHandle, handle);
  add("handle-append", IoVector::kMedium, Kept::kHandle, handle);
  for (const QType type : {QType::kFloat, QType::kSymbol}) {
    IoTest test = append_test("append-column", IoVector::kMedium, type,
                              "a tiny vector to a column: open, stat, seek, write, close");
    test.work = [type](Worker& worker, const IoTask& task) {
      const auto words = piece_of(task, type, task.vectors.tiny);
      return append_pieces(worker, task, {type, task.vectors.medium, task.seed}, words,
                           Kept::kOpenedEach);
    };
    tests.push_back(std::move(test));
  }
}

}  // namespace hdbench

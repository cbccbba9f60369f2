// Appending: small vectors to a file that is opened each time or kept open, and to columns.
#include <fcntl.h>

#include "bench/storage/io_test.h"

namespace hdbench::bench {
namespace {

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

}  // namespace

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

}  // namespace hdbench::bench

// What the fuzz targets share: the table of targets, files made from an input, a store that shows
// every read beyond a file's end.
//
// A target takes any bytes and returns. What it may not do is end the process: an abort ("bug in
// hdbench"), a sanitizer's report, an exception, more memory or time than libFuzzer's limits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/store.h"

namespace hdbench::fuzz {

// One a source, target_NAME.cc.
void run_column(Bytes input);
void run_decompress(Bytes input);
void run_ipc(Bytes input);
void run_symbols(Bytes input);
void run_database(Bytes input);
void run_query(Bytes input);
void run_query_file(Bytes input);
void run_experiment(Bytes input);
void run_forecasts(Bytes input);
void run_profile(Bytes input);
void run_results(Bytes input);
void run_io_results(Bytes input);
void run_image(Bytes input);
void run_words(Bytes input);
void run_saved(Bytes input);
void run_taq_file(Bytes input);

struct Target {
  std::string_view name;  // also of its corpus, tests/fuzz/corpus/NAME
  void (*run)(Bytes input);
};
std::span<const Target> targets();

// Null where there is no such target.
const Target* find_target(std::string_view name);

// Prints what an invariant's failure is, and aborts.
void require(bool holds, std::string_view what);

// This process's own directory, in memory where /dev/shm is; removed at exit. Aborts where it
// cannot be made.
const std::filesystem::path& scratch();

// Replaces the file; parents are made. Files that the system refuses, such as names too long, are
// left out.
void write_file(const std::filesystem::path& path, Bytes bytes);

// An input that represents several files: pieces that each begin with a line `@@ NAME`, then the
// file's bytes up to the line break before the next such line. Bytes before the first one are a
// piece without a name. A name that ends in `/` is a directory. Words behind a `|` shape the bytes:
//   page:NAME  a header page of kdb+ 3.6 over domain NAME: the first 16 bytes are its trailer
//   zip1..5    a compressed file of this algorithm, of blocks of 4096 bytes
struct Piece {
  std::string name;
  std::vector<std::byte> bytes;
};
std::vector<Piece> pieces_of(Bytes input);

// Writes the pieces below `root`, which is emptied first. Names lead nowhere else: parts `..` are
// left out. In a par.txt a path from the root is made one below `root`.
void write_tree(const std::filesystem::path& root, Bytes input);

// Holds every file and region in memory of exactly its size, so that the address sanitizer sees
// what is read beyond it.
std::shared_ptr<Store> make_exact_store();

}  // namespace hdbench::fuzz

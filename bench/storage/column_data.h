// Columns in the kdb+ format whose checksums are known without storing them.
//
// The words of a long column are a sequence whose sum over any range has a closed form, and that no
// filesystem can compress. What is read is summed and compared with what was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "engine/column/type.h"
#include "engine/storage/column_writer.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {

// "long", "int", "float", "sym".
std::string_view io_type_name(QType type);

// A column of a type and of so many elements, different for each seed.
struct DataSpec {
  QType type = QType::kLong;  // kLong, kInt, kFloat or kSymbol
  std::uint64_t elements = 0;
  std::uint64_t seed = 1;
};

constexpr std::uint64_t kIoDomainSymbols = 4096;

std::vector<std::byte> header_of(const DataSpec& spec);
std::uint64_t file_bytes(const DataSpec& spec);

// The file's words [first, first + words.size()), counted from its beginning; those of the header
// are data here as well, and what lies behind the last element too.
void fill_words(const DataSpec& spec, std::uint64_t first, std::span<std::uint64_t> words);

// The sum of these words of a long column's file, its header included. Requires: kLong.
std::uint64_t range_sum(const DataSpec& spec, std::uint64_t first, std::uint64_t words);

// The sum of all words; bytes that fill no word count as if zeros followed. Fast from a 64-byte
// boundary on.
std::uint64_t sum_of(std::span<const std::byte> bytes);

struct MadeColumn {
  std::filesystem::path path;
  DataSpec spec;
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;      // sum_of() the whole file
  std::int64_t greatest = 0;  // of a long column
};

// Writes the file, over what may be there, and flushes it. Errors: kData, naming it: what the
// system said; kUsage "interrupted".
Result<MadeColumn> make_column(const std::filesystem::path& path, const DataSpec& spec);

// A symbol list "s0", "s1", ... of kIoDomainSymbols.
Status make_domain(const std::filesystem::path& path);

// The columns that processes read: one for each process, created when a test first needs them and
// brought into the cache state that the test requires.
class ColumnSet {
 public:
  // Process k's columns lie in directories[k].
  ColumnSet(std::vector<std::filesystem::path> directories, std::uint64_t seed)
      : directories_(std::move(directories)), seed_(seed) {}

  // One a process, in their order; with more `files`, so many for each process, one after the
  // other, of elements / files each. `vector` is the vector's word. Errors: make_column's.
  Result<std::vector<MadeColumn>> get(const std::string& vector, QType type, std::uint64_t elements,
                                      std::size_t files = 1);

 private:
  std::vector<std::filesystem::path> directories_;
  std::uint64_t seed_;
  std::map<std::tuple<std::string, QType, std::size_t>, std::vector<MadeColumn>> made_;
};

// Written back and evicted, or brought into memory; what mincore then found. Errors: kData: it
// could not be proved, with both figures, or a file is gone.
Result<CacheProof> make_columns(Cache state, const std::vector<MadeColumn>& columns);

}  // namespace hdbench::bench

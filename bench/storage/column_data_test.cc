#include "bench/storage/column_data.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "bench/storage/file_calls.h"
#include "engine/base/catch.h"
#include "engine/storage/column_file.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

std::vector<std::uint64_t> words_of(const DataSpec& spec) {
  std::vector<std::uint64_t> words((file_bytes(spec) + 7) / 8);
  fill_words(spec, 0, words);
  return words;
}

TEST_CASE("an empty column is its header") {
  const ScratchDirectory place;
  const auto made = make_column(place / "empty", {QType::kLong, 0, 1});
  REQUIRE(made.ok());
  CHECK(made->bytes == 16);
  CHECK(read_column_summary(made->path)->rows == 0);
}

TEST_CASE("columns of all types are what kdb+ would read") {
  const ScratchDirectory place;
  for (const QType type : {QType::kLong, QType::kInt, QType::kFloat, QType::kSymbol}) {
    const DataSpec spec{type, 2047, 7};
    const auto made = make_column(place / "column", spec);
    REQUIRE(made.ok());
    CHECK(std::filesystem::file_size(made->path) == file_bytes(spec));
    const auto summary = read_column_summary(made->path);
    REQUIRE(summary.ok());
    CHECK(summary->header.type == type);
    CHECK(summary->rows == 2047);
    CHECK(*sum_of_file(made->path) == made->sum);
  }
}

TEST_CASE("a file's sum is that of its words, and of the bytes that fill none") {
  const ScratchDirectory place;
  std::ofstream(place / "eleven") << std::string("\1\0\0\0\0\0\0\0\2\1\0", 11);
  CHECK(*sum_of_file(place / "eleven") == 1 + 0x102);
}

TEST_CASE("the sum of a range is known without reading it") {
  const ScratchDirectory place;
  const DataSpec spec{QType::kLong, 3000, 3};
  const auto made = make_column(place / "longs", spec);
  REQUIRE(made.ok());
  std::ifstream file(made->path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  CHECK(range_sum(spec, 0, 0) == 0);
  for (const std::size_t begin : {0, 1, 2, 3, 512, 3001}) {
    for (const std::size_t count : {1, 2, 7, 512}) {
      if (begin + count > 3002) continue;
      CHECK(range_sum(spec, begin, count) == sum_of({first + begin * 8, count * 8}));
    }
  }
  CHECK(range_sum(spec, 0, 3002) == made->sum);
}

TEST_CASE("pieces of a column are the same wherever they begin") {
  const DataSpec spec{QType::kFloat, 1000, 5};
  const std::vector<std::uint64_t> whole = words_of(spec);
  std::vector<std::uint64_t> part(10);
  fill_words(spec, 500, part);
  CHECK(std::equal(part.begin(), part.end(), whole.begin() + 500));
  CHECK(words_of({QType::kFloat, 1000, 6}) != whole);
}

TEST_CASE("floats lie from 1 to 2 and symbols within the domain") {
  for (const std::uint64_t word : words_of({QType::kFloat, 1000, 5})) {
    CHECK(word >> 52 == 0x3ff);
  }
  for (const std::uint64_t word : words_of({QType::kSymbol, 1000, 5})) {
    CHECK(word < kIoDomainSymbols);
  }
}

TEST_CASE("the greatest of a long column is noted") {
  const ScratchDirectory place;
  const DataSpec spec{QType::kLong, 1000, 5};
  const auto made = make_column(place / "longs", spec);
  REQUIRE(made.ok());
  const std::vector<std::uint64_t> words = words_of(spec);
  std::int64_t greatest = INT64_MIN;
  for (std::size_t i = 2; i < words.size(); ++i) {
    greatest = std::max(greatest, static_cast<std::int64_t>(words[i]));
  }
  CHECK(made->greatest == greatest);
}

TEST_CASE("a column in a directory that is not there is an error that names it") {
  const auto made = make_column("/nowhere/column", {QType::kLong, 1, 1});
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message == "/nowhere/column: cannot open: No such file or directory");
}

}  // namespace
}  // namespace hdbench::bench

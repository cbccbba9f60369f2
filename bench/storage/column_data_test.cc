#include "bench/storage/column_data.h"

#include <fcntl.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "bench/storage/file_calls.h"
#include "engine/base/catch.h"
#include "engine/storage/column_file.h"
#include "engine/testing/column_files.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

std::vector<std::uint64_t> words_of(const DataSpec& spec) {
  std::vector<std::uint64_t> words((file_bytes(spec) + 7) / 8);
  fill_words(spec, 0, words);
  return words;
}

TEST_CASE("columns of all types are what kdb+ would read") {
  const ScratchDirectory place;
  CHECK(make_column(place / "empty", {QType::kLong, 0, 1})->bytes == 16);
  CHECK(make_column("/nowhere/column", {QType::kLong, 1, 1}).error().message ==
        "/nowhere/column: cannot open: No such file or directory");
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
    // Pieces are the same wherever they begin, and another seed gives other ones.
    const std::vector<std::uint64_t> whole = words_of(spec);
    std::vector<std::uint64_t> part(10);
    fill_words(spec, 500, part);
    CHECK(std::equal(part.begin(), part.end(), whole.begin() + 500));
    CHECK(words_of({type, 2047, 8}) != whole);
    for (const std::uint64_t word : whole) {
      if (type == QType::kFloat) CHECK(word >> 52 == 0x3ff);
      if (type == QType::kSymbol) CHECK(word < kIoDomainSymbols);
    }
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

TEST_CASE("a column is made once a process, different for each, or over several files") {
  const ScratchDirectory place;
  std::filesystem::create_directories(place / "0");
  std::filesystem::create_directories(place / "1");
  ColumnSet columns({place / "0", place / "1"}, 1);
  const auto made = columns.get("tiny", QType::kInt, 2047);
  REQUIRE(made.ok());
  REQUIRE(made->size() == 2);
  CHECK((*made)[0].path == place / "0/tiny-int");
  CHECK((*made)[0].sum != (*made)[1].sum);
  const auto modified = std::filesystem::last_write_time((*made)[0].path);
  CHECK(columns.get("tiny", QType::kInt, 2047).ok());
  CHECK(std::filesystem::last_write_time((*made)[0].path) == modified);

  REQUIRE(columns.get("huge", QType::kLong, 8192).ok());
  const auto parts = columns.get("huge", QType::kLong, 8192, 4);
  REQUIRE(parts.ok());
  REQUIRE(parts->size() == 8);
  CHECK((*parts)[0].path == place / "0/huge-long-1of4");
  CHECK((*parts)[7].path == place / "1/huge-long-4of4");
  std::set<std::uint64_t> sums;
  for (const MadeColumn& column : *parts) {
    CHECK(column.spec.elements == 2048);
    sums.insert(column.sum);
  }
  CHECK(sums.size() == 8);
}

TEST_CASE("cold and warm are reached and proved") {
  const ScratchDirectory place;
  CHECK(make_columns(Cache::kCold, {})->bytes_total == 0);
  CHECK(make_columns(Cache::kWarm, {})->bytes_total == 0);
  ColumnSet columns({place.path()}, 1);
  const auto made = columns.get("huge", QType::kLong, 1 << 17);
  REQUIRE(made.ok());
  const auto warm = make_columns(Cache::kWarm, *made);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == made->front().bytes);
  const auto mount = mount_of(read_mounts({}), place.path());
  if (!mount || mount->kind != MountKind::kDisk) return;
  const auto cold = make_columns(Cache::kCold, *made);
  REQUIRE(cold.ok());
  CHECK(cold->bytes_resident <= made->front().bytes / 1000);
}

TEST_CASE("a column that is gone or was cut off is an error that names it") {
  const ScratchDirectory place;
  ColumnSet columns({place.path()}, 1);
  const auto made = columns.get("tiny", QType::kLong, 2047);
  REQUIRE(made.ok());
  std::filesystem::resize_file(made->front().path, 100);
  CHECK(make_columns(Cache::kWarm, *made).error().message ==
        (place / "tiny-long").string() + ": 100 bytes, expected 16392");
  std::filesystem::remove(made->front().path);
  CHECK_FALSE(make_columns(Cache::kCold, *made).ok());
}

TEST_CASE("flushing calls what it is asked for") {
  const ScratchDirectory place;
  const auto file = open_for(place / "file", O_WRONLY | O_CREAT);
  REQUIRE(file.ok());
  for (const char* sync : {"none", "fsync", "fdatasync"}) {
    CHECK(flush(*file, place / "file", sync).ok());
  }
  const FileHandle closed;
  CHECK(flush(closed, "x", "none").ok());
  CHECK(flush(closed, "x", "fsync").error().message == "x: cannot fsync: Bad file descriptor");
  CHECK(flush(closed, "x", "fdatasync").error().message ==
        "x: cannot fdatasync: Bad file descriptor");
}

}  // namespace
}  // namespace hdbench::bench

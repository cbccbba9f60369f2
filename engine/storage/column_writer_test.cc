#include "engine/storage/column_writer.h"

#include <sys/resource.h>
#include <xxhash.h>

#include <csignal>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

TEST_CASE("an empty column is its header") {
  const ScratchDirectory scratch;
  REQUIRE(write_column<std::int64_t>(scratch / "bid", column_spec(QType::kLong), {}));
  const auto bytes = file_bytes(scratch / "bid");
  CHECK(bytes == bytes_of(std::string_view("\xfe\x20\x07\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)));
}

TEST_CASE("pieces make the same file and the same hash as one piece") {
  const ScratchDirectory scratch;
  const std::vector<std::int32_t> values{1, 2, 3, 4, 5};
  REQUIRE(write_column<std::int32_t>(scratch / "whole", column_spec(QType::kInt), values));
  auto writer = ColumnWriter::create(scratch / "pieces", column_spec(QType::kInt, 5));
  REQUIRE(writer.ok());
  for (const std::int32_t& value : values) {
    REQUIRE(writer->append(std::as_bytes(std::span(&value, 1))).ok());
  }
  const auto hash = writer->finish();
  REQUIRE(hash.ok());
  const auto bytes = file_bytes(scratch / "pieces");
  CHECK(bytes == file_bytes(scratch / "whole"));
  CHECK(*hash == XXH3_64bits(bytes.data(), bytes.size()));
}

TEST_CASE("a symbol list is written with its true count, names ended by NUL") {
  const ScratchDirectory scratch;
  const std::vector<std::string> names{"time", "", "bid"};
  REQUIRE(write_symbol_list(scratch / ".d", names).ok());
  CHECK(file_bytes(scratch / ".d") ==
        bytes_of(std::string_view("\xff\x01\x0b\0\3\0\0\0time\0\0bid\0", 18)));
  const std::vector<std::string> broken{std::string("a\0b", 3)};
  CHECK_FALSE(write_symbol_list(scratch / "broken", broken).ok());
}

TEST_CASE("a file that exists, or a directory that does not, is an error that names it") {
  const ScratchDirectory scratch;
  REQUIRE(write_column<std::int64_t>(scratch / "bid", column_spec(QType::kLong), {}));
  const auto again = ColumnWriter::create(scratch / "bid", column_spec(QType::kLong));
  REQUIRE_FALSE(again.ok());
  CHECK(again.error().message == (scratch / "bid").string() + ": cannot create: File exists");
  const auto nowhere = ColumnWriter::create(scratch / "no/bid", column_spec(QType::kLong));
  REQUIRE_FALSE(nowhere.ok());
  CHECK(nowhere.error().message ==
        (scratch / "no/bid").string() + ": cannot create: No such file or directory");
}

TEST_CASE("a file that cannot grow is reported with the bytes written and needed") {
  const ScratchDirectory scratch;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto writer = ColumnWriter::create(scratch / "bid", column_spec(QType::kLong, 20));
  const std::vector<std::int64_t> values(20);
  const Status appended = writer.ok() ? writer->append(std::as_bytes(std::span(values))) : Done{};
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(appended.ok());
  CHECK(appended.error().message ==
        (scratch / "bid").string() + ": File too large after 100 of 176 bytes");
}

}  // namespace
}  // namespace hdbench

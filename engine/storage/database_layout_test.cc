#include "engine/storage/database_layout.h"

#include "engine/base/catch.h"
#include "engine/storage/test_files.h"

namespace hdbench {
namespace {

TEST_CASE("an empty directory has no partitions and no tables") {
  const ScratchDirectory scratch;
  const auto layout = read_database_layout(scratch.path());
  REQUIRE(layout.ok());
  CHECK(layout->partition_field.empty());
  CHECK(layout->partitions.empty());
  CHECK(layout->splayed.empty());
}

TEST_CASE("partitions rise by value, not by name, with their directories sorted") {
  const ScratchDirectory scratch;
  for (const char* name : {"10/b", "10/a", "9/a", "110/a"}) {
    std::filesystem::create_directories(scratch / name);
  }
  const auto layout = read_database_layout(scratch.path());
  REQUIRE(layout.ok());
  REQUIRE(layout->partitions.size() == 3);
  CHECK(layout->partitions[0].value == 9);
  CHECK(layout->partitions[1].entries == std::vector<std::string>{"a", "b"});
  CHECK(layout->partitions[2].path == scratch / "110");
}

TEST_CASE("names that only look like partitions are none") {
  const ScratchDirectory scratch;
  for (const char* name : {"2020.13.01", "2020.01.32", "2020.1.1", "2020.01.01x", "-5", "2020.00",
                           "20200101x", "2020.01.", "99999999999999999999"}) {
    std::filesystem::create_directories(scratch / name);
  }
  CHECK(read_database_layout(scratch.path())->partitions.empty());
}

TEST_CASE("splayed tables are the root's directories with a .d") {
  const ScratchDirectory scratch;
  write_bytes(scratch / "quote/.d", bytes_of("x"));
  write_bytes(scratch / "notes/readme", bytes_of("x"));
  write_bytes(scratch / ".hidden/.d", bytes_of("x"));
  const auto layout = read_database_layout(scratch.path());
  REQUIRE(layout.ok());
  CHECK(layout->splayed == std::vector<std::string>{"quote"});
}

}  // namespace
}  // namespace hdbench

#include "engine/storage/database_layout.h"

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

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
  const auto layout = read_database_layout(scratch.path());
  CHECK(layout->partitions.empty());
  CHECK(layout->notes.size() == 5);  // digits and dots that begin as a date does
}

TEST_CASE("a number that two directories of one segment have is an error") {
  const ScratchDirectory scratch;
  for (const char* name : {"1/t", "01/t", "2/t", "002/t", "0002/t"}) {
    std::filesystem::create_directories(scratch / name);
  }
  const std::string root = scratch.path().string();
  CHECK(read_database_layout(scratch.path()).error().message ==
        root + "/1: the int 1 again, which is " + root + "/01 already");
  const auto tolerated = read_database_layout(scratch.path(), true);
  REQUIRE(tolerated.ok());
  CHECK(tolerated->partitions.size() == 2);
  CHECK(tolerated->problems.size() == 3);
  write_bytes(scratch / "db/par.txt", bytes_of("../one\n../two\n"));
  for (const char* name : {"one/1/t", "two/01/t"}) {
    std::filesystem::create_directories(scratch / name);
  }
  CHECK(read_database_layout(scratch / "db")->partitions.size() == 2);
}

TEST_CASE("what cannot be read is a partition where the others are of its kind") {
  const ScratchDirectory scratch;
  write_bytes(scratch / "7", bytes_of("x"));
  write_bytes(scratch / "2020", bytes_of("x"));
  CHECK(read_database_layout(scratch.path())->partitions.empty());
  std::filesystem::create_symlink("absent", scratch / "2020.01.08");
  const auto alone = read_database_layout(scratch.path());
  REQUIRE(alone->partitions.size() == 1);
  CHECK(alone->partition_field == "date");
  std::filesystem::remove(scratch / "2020.01.08");
  std::filesystem::create_symlink("absent", scratch / "9");
  const auto links = read_database_layout(scratch.path());
  CHECK(links->partition_field == "int");
  CHECK(links->partitions.size() == 2);
  std::filesystem::remove(scratch / "9");
  std::filesystem::create_symlink("absent", scratch / "2020.01.08");
  std::filesystem::create_directories(scratch / "10");
  const auto ints = read_database_layout(scratch.path());
  REQUIRE(ints->partitions.size() == 3);
  CHECK(ints->partition_field == "int");
  CHECK(ints->partitions[0].unreadable ==
        (scratch / "7").string() + ": a file in the place of a directory");
  CHECK(ints->partitions[1].unreadable.empty());
  CHECK(ints->partitions[2].value == 2020);
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

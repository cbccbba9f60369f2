#include "bench/storage/file_calls.h"

#include <fcntl.h>

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

TEST_CASE("an empty file has no sum") {
  const ScratchDirectory place;
  REQUIRE(open_for(place / "empty", O_WRONLY | O_CREAT).ok());
  CHECK(*sum_of_file(place / "empty") == 0);
}

TEST_CASE("a file that is not there is named") {
  CHECK(open_for("/nowhere/file", O_RDONLY).error().message ==
        "/nowhere/file: cannot open: No such file or directory");
  CHECK_FALSE(sum_of_file("/nowhere/file").ok());
}

TEST_CASE("a full device is an error that names the file and what was done") {
  const auto full = open_for("/dev/full", O_WRONLY);
  REQUIRE(full.ok());
  const std::vector<std::byte> page(4096);
  CHECK(write_fully(*full, page, "/dev/full").error().message ==
        "/dev/full: cannot write: No space left on device");
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

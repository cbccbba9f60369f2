#include "bench/storage/file_calls.h"

#include <fcntl.h>

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

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

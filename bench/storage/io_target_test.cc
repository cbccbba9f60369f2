#include "bench/storage/io_target.h"

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/column_files.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a directory that is not there is named") {
  CHECK(look_at_target("/nowhere", "/nowhere").error().message ==
        "/nowhere/tried: cannot open: No such file or directory");
  CHECK(ScratchTrees::make({"/nowhere/at/all"}).error().message ==
        "/nowhere/at/all: cannot make a directory in it: No such file or directory");
}

TEST_CASE("a target is seen and left as it was") {
  const ScratchDirectory place;
  const auto target = look_at_target(place.path(), place.path());
  REQUIRE(target.ok());
  CHECK_FALSE(target->place.empty());
  CHECK(std::filesystem::is_empty(place.path()));
}

TEST_CASE("shared memory is memory, never cold and without O_DIRECT") {
  if (!std::filesystem::is_directory("/dev/shm")) return;
  const auto target = look_at_target("/dev/shm", "/dev/shm");
  if (!target.ok()) return;
  CHECK(target->memory);
  CHECK_FALSE(target->direct_io);
}

TEST_CASE("bytes written are counted in sectors of 512") {
  const ScratchDirectory sysfs;
  CHECK_FALSE(bytes_written_to("", sysfs.path()));
  CHECK_FALSE(bytes_written_to("vda", sysfs.path()));
  std::filesystem::create_directories(sysfs / "class/block/vda");
  std::ofstream(sysfs / "class/block/vda/stat") << " 1 2 3 4 5 6 70 8 9\n";
  CHECK(bytes_written_to("vda", sysfs.path()) == 70 * 512);
}

namespace fs = std::filesystem;

TEST_CASE("what was made is removed, and nothing else") {
  const ScratchDirectory place;
  std::ofstream(place / "theirs") << "x";
  {
    const auto trees = ScratchTrees::make({place.path(), place.path()});
    REQUIRE(trees.ok());
    REQUIRE(trees->paths().size() == 2);
    CHECK(trees->paths()[0] != trees->paths()[1]);
    std::ofstream(trees->paths()[0] / "file") << "y";
  }
  CHECK(fs::exists(place / "theirs"));
  CHECK(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()) == 1);
}

}  // namespace
}  // namespace hdbench::bench

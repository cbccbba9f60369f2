#include "bench/storage/io_target.h"

#include <fstream>

#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a directory that cannot be written is named") {
  CHECK(look_at_target("/nowhere", "/nowhere").error().message ==
        "/nowhere/tried: cannot open: No such file or directory");
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

}  // namespace
}  // namespace hdbench::bench

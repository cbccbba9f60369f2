#include "bench/machine/device_ceilings.h"

#include <sys/stat.h>

#include <fstream>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

// A file of so many bytes.
std::filesystem::path file_in(const testing::TemporaryDirectory& folder, std::size_t bytes) {
  const auto path = folder.path() / "column";
  std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
  return path;
}

TEST_CASE("a database without files has no device ceiling, and it is said") {
  DeviceCeilings ceilings;
  measure_device({}, ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason == "the database has no column file");
  CHECK(ceilings.sequential.figure().median == 0);
}

TEST_CASE("files that are too small or are not there give a reason, not a figure") {
  const testing::TemporaryDirectory folder;
  DeviceCeilings ceilings;
  measure_device({file_in(folder, (3 << 20) + 5), "/nowhere/at/all"}, ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason != "");
  const testing::TemporaryDirectory memory("/dev/shm");
  measure_device({file_in(memory, 1 << 20)}, ceilings);
  if (ceilings.device == "tmpfs") CHECK(ceilings.reason == "tmpfs is memory, not a disk");
}

TEST_CASE("a disk is read in order and in random places, each time once more") {
  const testing::TemporaryDirectory folder;
  const auto file = file_in(folder, (20 << 20) + 100);
  DeviceCeilings ceilings;
  measure_device({file}, ceilings);
  measure_device({file}, ceilings);
  if (!ceilings.reason.empty()) return;  // no disk below the temporary directory
  REQUIRE(ceilings.known());
  CHECK(ceilings.sequential.gb_s.size() == 2);
  CHECK(ceilings.random.gb_s.size() == 2);
  CHECK(ceilings.summed.gb_s.size() == 2);
  CHECK(ceilings.summed.bytes == ceilings.sequential.bytes);
  CHECK(ceilings.sequential.bytes == 40 << 20);
  CHECK(ceilings.sequential.figure().best >= ceilings.sequential.figure().median);
  CHECK(ceilings.random.figure().median > 0);
}

TEST_CASE("a directory beside the files is on their device, one in memory is not") {
  const testing::TemporaryDirectory folder;
  const auto file = file_in(folder, 5);
  CHECK_FALSE(is_other_device(folder.path(), {file}));
  CHECK_FALSE(is_other_device(folder.path(), {}));
  CHECK_FALSE(is_other_device("/nowhere", {file}));
  if (std::filesystem::is_directory("/proc/self")) CHECK(is_other_device("/proc/self", {file}));
}

TEST_CASE("a directory that cannot be written gives a reason, not a figure") {
  DeviceCeilings ceilings;
  measure_scratch_device("/nowhere", ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason == "/nowhere: not a directory");
}

TEST_CASE("the device is measured each time once more, and nothing is left behind") {
  const testing::TemporaryDirectory folder;
  DeviceCeilings ceilings;
  measure_scratch_device(folder.path(), ceilings);
  measure_scratch_device(folder.path(), ceilings);
  CHECK(std::filesystem::is_empty(folder.path()));
  if (!ceilings.reason.empty()) return;  // no disk below the temporary directory
  CHECK(ceilings.sequential.gb_s.size() == 2);
  CHECK(ceilings.random.figure().median > 0);
}

TEST_CASE("a filled file has its bytes and no name") {
  const testing::TemporaryDirectory folder(testing::directory_on_disk());
  const std::atomic<bool> stop{false};
  const auto file = filled_file(folder.path(), (std::uint64_t{5} << 20) + 4096, stop);
  REQUIRE(file.ok());
  struct stat status{};
  REQUIRE(fstat(file->descriptor(), &status) == 0);
  CHECK(status.st_size == (5 << 20) + 4096);
  CHECK(status.st_nlink == 0);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("no directory, no space and a stop are errors") {
  const testing::TemporaryDirectory folder;
  std::atomic<bool> stop{false};
  CHECK(!filled_file(folder.path() / "none", 4096, stop).ok());
  CHECK(!filled_file(folder.path(), std::uint64_t{1} << 60, stop).ok());
  stop = true;
  CHECK(filled_file(folder.path(), 4096, stop).error().message == "interrupted");
}

}  // namespace
}  // namespace hdbench::bench

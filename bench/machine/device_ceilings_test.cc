#include "bench/machine/device_ceilings.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// A file of so many bytes that goes with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& directory, std::size_t bytes)
      : path_(directory / ("hdbench_device_" + std::to_string(getpid()))) {
    std::ofstream file(path_, std::ios::binary);
    const std::string text(1 << 20, 'x');
    for (std::size_t left = bytes; left > 0; left -= std::min(left, text.size()))
      file.write(text.data(), static_cast<std::streamsize>(std::min(left, text.size())));
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST_CASE("a database without files has no device ceiling, and it is said") {
  DeviceCeilings ceilings;
  measure_device({}, ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason == "the database has no column file");
  CHECK(ceilings.sequential.figure().median == 0);
}

TEST_CASE("files that are too small or are not there give a reason, not a figure") {
  const TemporaryFile small(std::filesystem::temp_directory_path(), (3 << 20) + 5);
  DeviceCeilings ceilings;
  measure_device({small.path(), "/nowhere/at/all"}, ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason != "");
}

TEST_CASE("files in memory are no device") {
  if (!std::filesystem::is_directory("/dev/shm")) return;
  const TemporaryFile file("/dev/shm", 1 << 20);
  DeviceCeilings ceilings;
  measure_device({file.path()}, ceilings);
  if (ceilings.device == "tmpfs") CHECK(ceilings.reason == "tmpfs is memory, not a disk");
}

TEST_CASE("a disk is read in order and in random places, each time once more") {
  const TemporaryFile file(std::filesystem::temp_directory_path(), (20 << 20) + 100);
  DeviceCeilings ceilings;
  measure_device({file.path()}, ceilings);
  measure_device({file.path()}, ceilings);
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

}  // namespace
}  // namespace hdbench::bench

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

struct Folder {
  explicit Folder(const std::filesystem::path& parent)
      : path(parent / ("hdbench_scratch_device_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

TEST_CASE("without column files, or without the directory, there is no other device") {
  const Folder folder(std::filesystem::temp_directory_path());
  CHECK_FALSE(is_other_device(folder.path, {}));
  CHECK_FALSE(is_other_device(folder.path, {"/nowhere/at/all"}));
  CHECK_FALSE(is_other_device("/nowhere", {folder.path}));
}

TEST_CASE("a directory beside the files is on their device, one in memory is not") {
  const Folder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path / "column";
  std::ofstream(file) << "values";
  CHECK_FALSE(is_other_device(folder.path, {file}));
  if (!std::filesystem::is_directory("/proc/self")) return;
  CHECK(is_other_device("/proc/self", {file}));
}

TEST_CASE("a directory that cannot be written gives a reason, not a figure") {
  DeviceCeilings ceilings;
  measure_scratch_device("/nowhere", ceilings);
  CHECK_FALSE(ceilings.known());
  CHECK(ceilings.reason == "/nowhere: not a directory");
}

TEST_CASE("the device is measured each time once more, and nothing is left behind") {
  const Folder folder(std::filesystem::temp_directory_path());
  DeviceCeilings ceilings;
  measure_scratch_device(folder.path, ceilings);
  measure_scratch_device(folder.path, ceilings);
  CHECK(std::filesystem::is_empty(folder.path));
  if (!ceilings.reason.empty()) return;  // no disk below the temporary directory
  CHECK(ceilings.sequential.gb_s.size() == 2);
  CHECK(ceilings.random.figure().median > 0);
}

}  // namespace
}  // namespace hdbench::bench

#include "bench/machine/scratch_device.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

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

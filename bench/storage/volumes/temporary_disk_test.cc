// Needs root and loop devices; says so where they are absent.
#include "bench/storage/volumes/temporary_disk.h"

#include <unistd.h>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kDiskBytes = 1 << 20;
const std::atomic<bool> kGoesOn{false};

bool has_loop_devices() {
  if (geteuid() == 0 && std::filesystem::exists("/dev/loop-control")) return true;
  WARN("no loop devices that this user may set up: temporary disks are not tested");
  return false;
}

// Whether the kernel shows a file behind the loop device.
bool is_attached(const std::string& path) {
  const auto name = std::filesystem::path(path).filename();
  return std::filesystem::exists("/sys/block" / name / "loop" / "backing_file");
}

TEST_CASE("a loop disk lasts as long as it is held") {
  if (!has_loop_devices()) return;
  std::string path;
  {
    const auto disk =
        make_loop_disk(std::filesystem::temp_directory_path(), {kDiskBytes, kDiskBytes}, kGoesOn);
    REQUIRE(disk.ok());
    path = disk->path;
    CHECK(path.starts_with("/dev/loop"));
    CHECK(is_attached(path));
  }
  CHECK_FALSE(is_attached(path));
}

TEST_CASE("a loop disk shows as many bytes as it is told to") {
  if (!has_loop_devices()) return;
  auto disk =
      make_loop_disk(std::filesystem::temp_directory_path(), {kDiskBytes, 4 * kDiskBytes}, kGoesOn);
  REQUIRE(disk.ok());
  REQUIRE(disk->seem(kDiskBytes).ok());
  CHECK(lseek(disk->held.descriptor(), 0, SEEK_END) == kDiskBytes);
}

TEST_CASE("a directory that is not there holds no loop disk") {
  CHECK_FALSE(make_loop_disk("/nonexistent", {kDiskBytes, kDiskBytes}, kGoesOn).ok());
}

TEST_CASE("an interrupt ends the making of a disk") {
  const std::atomic<bool> stopped{true};
  const auto disk =
      make_loop_disk(std::filesystem::temp_directory_path(), {kDiskBytes, kDiskBytes}, stopped);
  REQUIRE_FALSE(disk.ok());
  CHECK(disk.error().message == "interrupted");
}

}  // namespace
}  // namespace hdbench::bench

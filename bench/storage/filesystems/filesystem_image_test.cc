// Loop devices need root; says so where they are absent.
#include "bench/storage/filesystems/filesystem_image.h"

#include <unistd.h>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

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

}  // namespace

TEST_CASE("a list of filesystems: none, unknown, twice, in its order") {
  CHECK(parse_filesystems("").error().message == "--compare: no filesystem is named");
  CHECK(parse_filesystems("xfs,").ok());
  CHECK(parse_filesystems("zfs").error().message ==
        "--compare: unknown filesystem 'zfs': known are xfs, ext4, btrfs");
  CHECK(parse_filesystems("xfs,xfs").error().message == "--compare: xfs is named twice");
  CHECK(parse_filesystems("zfs").error().kind == ErrorKind::kUsage);
  // Its order stays, because ratios are to the first.
  const auto kinds = parse_filesystems("btrfs,xfs");
  REQUIRE(kinds.ok());
  REQUIRE(kinds->size() == 2);
  CHECK(std::string((*kinds)[0].name) == "btrfs");
  CHECK(std::string((*kinds)[1].tool) == "mkfs.xfs");
}

TEST_CASE("a tool or a kernel that lacks a filesystem is named") {
  const testing::TemporaryDirectory folder;
  const MachinePaths paths{folder.path() / "sys", folder.path() / "proc"};
  FilesystemKind kind{"hdbfs", "hdbench-no-such-mkfs", "hdbfsprogs", {}, 0};
  CHECK(why_not(kind, paths) == "hdbench-no-such-mkfs is not installed (package hdbfsprogs)");
  kind.tool = "sh";
  CHECK(why_not(kind, paths) == "this kernel has no hdbfs");
  testing::write_text(paths.procfs / "filesystems", "nodev\tsysfs\n\thdbfs\n");
  CHECK(!why_not(kind, paths));
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

TEST_CASE("a disk that cannot be made is an error") {
  const std::atomic<bool> stopped{true};
  const ImageSize size{kDiskBytes, kDiskBytes};
  CHECK_FALSE(make_loop_disk("/nonexistent", size, kGoesOn).ok());
  CHECK(make_loop_disk(std::filesystem::temp_directory_path(), size, stopped).error().message ==
        "interrupted");
}

}  // namespace hdbench::bench

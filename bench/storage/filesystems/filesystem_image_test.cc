#include "bench/storage/filesystems/filesystem_image.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("a list of filesystems: none, unknown, twice") {
  CHECK(parse_filesystems("").error().message == "--compare: no filesystem is named");
  CHECK(parse_filesystems("xfs,").ok());
  CHECK(parse_filesystems("zfs").error().message ==
        "--compare: unknown filesystem 'zfs': known are xfs, ext4, btrfs");
  CHECK(parse_filesystems("xfs,xfs").error().message == "--compare: xfs is named twice");
  CHECK(parse_filesystems("zfs").error().kind == ErrorKind::kUsage);
}

TEST_CASE("a list keeps its order, because ratios are to the first") {
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

}  // namespace hdbench::bench

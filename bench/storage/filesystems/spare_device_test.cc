#include "bench/storage/filesystems/spare_device.h"

#include <cstring>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

std::vector<std::byte> head_with(std::size_t at, const std::string& text) {
  std::vector<std::byte> head(std::size_t{1} << 20);
  std::memcpy(head.data() + at, text.data(), text.size());
  return head;
}

}  // namespace

TEST_CASE("a device of zeros holds nothing, one byte is something") {
  CHECK(!held(head_with(0, "")));
  CHECK(held(head_with(777, "x")) == "data");
}

TEST_CASE("filesystems, partitions and volumes are known by their signatures") {
  CHECK(held(head_with(0, "XFSB")) == "an XFS filesystem");
  CHECK(held(head_with(1080, "\x53\xef")) == "an ext2, ext3 or ext4 filesystem");
  CHECK(held(head_with(65600, "_BHRfS_M")) == "a Btrfs filesystem");
  CHECK(held(head_with(510, "\x55\xaa")) == "a partition table");
  CHECK(held(head_with(0, "LUKS\xba\xbe")) == "an encrypted volume");
}

TEST_CASE("users of a device: its mount, its partition's, what lies on it, swap") {
  const TemporaryDirectory folder;
  const MachinePaths paths{folder.path() / "sys", folder.path() / "proc"};
  CHECK(!user_of("vda", paths));
  write_text(paths.procfs / "self/mountinfo", "1 1 254:1 / /db rw - xfs /dev/vda1 rw\n");
  const auto block = paths.sysfs / "class/block";
  write_text(block / "vda/vda1/partition", "1\n");
  CHECK(user_of("vda1", paths) == "mounted on /db");
  CHECK(user_of("vda", paths) == "its partition vda1 is in use: mounted on /db");
  CHECK(!user_of("vdb", paths));
  write_text(block / "vdb/holders/dm-0/x", "");
  CHECK(user_of("vdb", paths) == "dm-0 lies on it");
  write_text(paths.procfs / "swaps", "Filename Type\n/dev/vdc partition 1 0 -2\n");
  CHECK(user_of("vdc", paths) == "swap");
}

TEST_CASE("what is no block device is refused by name") {
  const TemporaryDirectory folder;
  const std::string file = (folder.path() / "file").string();
  const auto absent = allow_device(file, true);
  REQUIRE(!absent.ok());
  CHECK(testing::contains(absent.error().message, "No such file"));
  write_text(file, "x");
  const auto plain = allow_device(file, true);
  REQUIRE(!plain.ok());
  CHECK(plain.error().message == "--device: " + file + " is no block device");
  CHECK(plain.error().kind == ErrorKind::kUsage);
}

}  // namespace hdbench

#include "pmem/machine/mount.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

// A machine whose mountinfo is the text, with the block devices vda (254:0) and pmem0 (259:0).
MachinePaths fake_machine(const TemporaryDirectory& root, const std::string& mountinfo) {
  const MachinePaths paths{root.path() / "sys", root.path() / "proc"};
  testing::write_text(paths.procfs / "self/mountinfo", mountinfo);
  std::filesystem::create_directories(paths.sysfs / "dev/block");
  std::filesystem::create_symlink("../../devices/virtio1/block/vda",
                                  paths.sysfs / "dev/block/254:0");
  std::filesystem::create_symlink("../../devices/ndbus0/region0/pfn0.0/block/pmem0",
                                  paths.sysfs / "dev/block/259:0");
  return paths;
}

TEST_CASE("a machine that shows no mounts has none") {
  const TemporaryDirectory root;
  CHECK(read_mounts({root.path(), root.path()}).empty());
  CHECK_FALSE(mount_of({}, "/tmp").has_value());
  CHECK(read_mounts(fake_machine(root, "rubbish\n\n1 2 3\n")).empty());
}

TEST_CASE("disks, memory, overlays and networks are distinguished") {
  const TemporaryDirectory root;
  const auto mounts = read_mounts(
      fake_machine(root,
                   "27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/root rw,discard\n"
                   "30 27 0:25 / /dev/shm rw - tmpfs tmpfs rw,size=24684092k\n"
                   "31 27 0:40 / /box rw - overlay overlay rw,lowerdir=/a\n"
                   "32 27 0:41 / /far rw - nfs4 server:/export rw\n"
                   "33 27 0:42 /@ /tank rw - btrfs /dev/sdb1 rw\n"
                   "34 27 0:43 / /with\\040space rw - tmpfs none rw\n"));
  REQUIRE(mounts.size() == 6);
  CHECK(describe(*mount_of(mounts, "/etc/passwd")) == "ext4 on /dev/vda");
  CHECK(describe(*mount_of(mounts, "/dev/shm/x")) == "tmpfs");
  CHECK(describe(*mount_of(mounts, "/box")) == "overlay");
  CHECK(describe(*mount_of(mounts, "/far/db")) == "nfs4 from server:/export");
  CHECK(describe(*mount_of(mounts, "/tank/db")) == "btrfs on /dev/sdb1");
  CHECK(mount_of(mounts, "/with space/x")->kind == MountKind::kMemory);
  CHECK(mount_of(mounts, "/etc")->kind == MountKind::kDisk);
  CHECK(mount_of(mounts, "/dev/shm")->kind == MountKind::kMemory);
  CHECK(mount_of(mounts, "/box/x")->kind == MountKind::kOther);
  CHECK(mount_of(mounts, "/far")->kind == MountKind::kOther);
  CHECK(mount_of(mounts, "/boxes")->kind == MountKind::kDisk);
}

TEST_CASE("names in the kernel's tables have octal digits for spaces") {
  CHECK(unescaped_name("").empty());
  CHECK(unescaped_name("/a\\040b\\134c") == "/a b\\c");
  CHECK(unescaped_name("/a\\04") == "/a\\04");
}

TEST_CASE("each mount namespace is read once, one's own first") {
  const TemporaryDirectory root;
  const MachinePaths paths = fake_machine(root, "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  CHECK(read_all_mounts(paths).size() == 1);
  const auto process = [&](const std::string& number, const std::string& space) {
    testing::write_text(paths.procfs / number / "mountinfo",
                        "30 27 254:0 / /of" + number + " rw - ext4 /dev/vda rw\n");
    std::filesystem::create_directories(paths.procfs / number / "ns");
    std::filesystem::create_symlink(space, paths.procfs / number / "ns/mnt");
  };
  process("self", "mnt:[1]");
  process("5", "mnt:[1]");
  process("6", "mnt:[2]");
  process("7", "mnt:[2]");
  testing::write_text(paths.procfs / "8/mountinfo", "30 27 254:0 / /of8 rw - ext4 /dev/vda rw\n");
  const auto mounts = read_all_mounts(paths);
  REQUIRE(mounts.size() == 3);
  CHECK(mounts[2].directory == "/of8");
  CHECK(mounts[0].directory == "/ofself");
  CHECK(mounts[1].directory == "/of6");
}

TEST_CASE("a later mount hides an earlier one on the same directory") {
  const TemporaryDirectory root;
  const auto mounts = read_mounts(fake_machine(root,
                                               "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
                                               "28 27 254:0 / /data rw - ext4 /dev/vda rw\n"
                                               "29 27 0:9 / /data rw - tmpfs tmpfs rw\n"));
  CHECK(mount_of(mounts, "/data/db")->filesystem == "tmpfs");
}

TEST_CASE("dax and persistent memory are read from options and device") {
  const TemporaryDirectory root;
  const auto mounts =
      read_mounts(fake_machine(root,
                               "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
                               "40 27 259:0 / /mnt/pmem rw - ext4 /dev/pmem0 rw,dax=always\n"
                               "41 27 259:0 / /mnt/old rw - xfs /dev/pmem0 rw,dax\n"
                               "42 27 259:0 / /mnt/plain rw - ext4 /dev/pmem0 rw,dax=never\n"));
  REQUIRE(mounts.size() == 4);
  CHECK_FALSE(mounts[0].dax);
  CHECK_FALSE(mounts[0].pmem);
  CHECK(mounts[1].dax);
  CHECK(mounts[1].pmem);
  CHECK(mounts[2].dax);
  CHECK_FALSE(mounts[3].dax);
  CHECK(mounts[3].pmem);
}

TEST_CASE("the real machine shows its mounts, /proc among them") {
  // Not the root's: in a chroot the kernel lists no mount for it.
  const auto mounts = read_mounts({});
  REQUIRE_FALSE(mounts.empty());
  CHECK(mount_of(mounts, "/proc/self").has_value());
}

}  // namespace
}  // namespace hdbench::pmem

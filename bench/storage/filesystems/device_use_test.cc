#include "bench/storage/filesystems/spare_device.h"
#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

// sdb (8:16) with the partition sdb1 (8:17), and the loop devices loop0 (7:0) and loop1 (7:1).
class BlockMachine {
 public:
  BlockMachine() {
    device("8:16", "sdb", "devices/pci/block/sdb");
    device("8:17", "sdb1", "devices/pci/block/sdb/sdb1");
    testing::write_text(paths.sysfs / "devices/pci/block/sdb/sdb1/partition", "1\n");
    device("7:0", "loop0", "devices/virtual/block/loop0");
    device("7:1", "loop1", "devices/virtual/block/loop1");
    for (const char* name : {"loop0", "loop1", "sdb"}) {
      fs::create_directories(paths.sysfs / "block");
      fs::create_directory_symlink(fs::canonical(paths.sysfs / "class/block" / name),
                                   paths.sysfs / "block" / name);
    }
    mounts("self", "1", "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  }

  void device(const std::string& number, const std::string& name, const std::string& node) const {
    fs::create_directories(paths.sysfs / node);
    fs::create_directories(paths.sysfs / "class/block");
    fs::create_directories(paths.sysfs / "dev/block");
    fs::create_directory_symlink(paths.sysfs / node, paths.sysfs / "class/block" / name);
    fs::create_directory_symlink(paths.sysfs / node, paths.sysfs / "dev/block" / number);
  }

  void loop(const std::string& name, const fs::path& file) const {
    testing::write_text(paths.sysfs / "class/block" / name / "loop/backing_file",
                        file.string() + "\n");
  }

  void mounts(const std::string& process, const std::string& space, const std::string& text) const {
    testing::write_text(paths.procfs / process / "mountinfo", text);
    fs::create_directories(paths.procfs / process / "ns");
    fs::remove(paths.procfs / process / "ns/mnt");
    fs::create_symlink("mnt:[" + space + "]", paths.procfs / process / "ns/mnt");
  }

  std::string use(const std::string& number) const {
    return device_use(number, paths).value_or("none");
  }

  testing::TemporaryDirectory root;
  MachinePaths paths{root.path() / "sys", root.path() / "proc", root.path() / "dev"};
};

}  // namespace

TEST_CASE("a device that nobody uses, and one that is not known") {
  const BlockMachine machine;
  CHECK(machine.use("8:16") == "none");
  CHECK(machine.use("8:17") == "none");
  CHECK(machine.use("7:0") == "none");
  CHECK(machine.use("9:9") == "none");
  CHECK(loop_files("8:16", machine.paths).empty());
}

TEST_CASE("a mounted device is in use, and so are its disk and its partitions") {
  const BlockMachine machine;
  machine.mounts("self", "1", "30 27 8:17 / /with\\040space rw - xfs /dev/sdb1 rw\n");
  CHECK(machine.use("8:17") == "sdb1 is mounted on /with space");
  CHECK(machine.use("8:16") == "sdb1 is mounted on /with space");
  machine.mounts("self", "1", "30 27 8:16 / /data rw - xfs /dev/sdb rw\n");
  CHECK(machine.use("8:17") == "sdb is mounted on /data");
  machine.mounts("self", "1", "30 27 0:41 / /tank rw - btrfs /dev/sdb1 rw\n");
  CHECK(machine.use("8:17") == "sdb1 is mounted on /tank");
}

TEST_CASE("a device that is mounted in another mount namespace is in use") {
  const BlockMachine machine;
  machine.mounts("77", "1", "30 27 8:16 / /not/looked/at rw - xfs /dev/sdb rw\n");
  CHECK(machine.use("8:16") == "none");  // the same namespace: as "self"
  machine.mounts("78", "2", "30 27 8:16 / /inside rw - xfs /dev/sdb rw\n");
  CHECK(machine.use("8:16") == "sdb is mounted on /inside");
}

TEST_CASE("swap, holders and the devices of a btrfs are in use") {
  const BlockMachine machine;
  const fs::path swaps = machine.paths.procfs / "swaps";
  testing::write_text(swaps, "Filename Type Size Used Priority\n/dev/sdb1 partition 9 0 -2\n");
  CHECK(machine.use("8:16") == "sdb1 is swap");
  testing::write_text(swaps, "Filename Type Size Used Priority\n/a\\040file file 9 0 -2\n");
  CHECK(machine.use("8:16") == "none");
  machine.loop("loop0", "/a file");
  CHECK(machine.use("7:0") == "/a file, the file of loop0, is swap");
  fs::create_directories(machine.paths.sysfs / "class/block/sdb1/holders/dm-0");
  CHECK(machine.use("8:16") == "sdb1 is held by dm-0");
  fs::remove_all(machine.paths.sysfs / "class/block/sdb1/holders");
  fs::create_directories(machine.paths.sysfs / "fs/btrfs/1234-5678/devices/sdb");
  CHECK(machine.use("8:17") == "sdb is part of the mounted btrfs 1234-5678");
}

TEST_CASE("two loop devices of one file are both in use, whatever its name") {
  const BlockMachine machine;
  const fs::path file = machine.root.path() / "image";
  testing::write_text(file, "x");
  machine.loop("loop0", file);
  CHECK(machine.use("7:0") == "none");
  machine.loop("loop1", file);
  CHECK(machine.use("7:0") == "loop1 has the same file, " + file.string());
  CHECK(machine.use("7:1") == "loop0 has the same file, " + file.string());
  const fs::path other = machine.root.path() / "other";
  fs::create_hard_link(file, other);
  machine.loop("loop1", other);
  CHECK(machine.use("7:1") == "loop0 has the same file, " + other.string());
  machine.loop("loop1", "/gone (deleted)");
  CHECK(machine.use("7:1") == "none");
}

TEST_CASE("what a loop device lies on is looked at, and what lies on a device") {
  const BlockMachine machine;
  machine.loop("loop0", "/dev/sdb1");
  CHECK(machine.use("8:16") == "sdb1 is the file of loop0");
  CHECK(machine.use("7:0") == "none");
  machine.loop("loop1", "/dev/loop0");
  CHECK(machine.use("7:0") == "loop0 is the file of loop1");
  CHECK(machine.use("7:1") == "none");
  CHECK(loop_files("7:1", machine.paths) == std::vector<fs::path>{"/dev/loop0", "/dev/sdb1"});
  machine.mounts("self", "1", "30 27 8:16 / /data rw - xfs /dev/sdb rw\n");
  CHECK(machine.use("7:1") == "sdb is mounted on /data");
}

TEST_CASE("loop devices that lie on each other come to an end") {
  const BlockMachine machine;
  machine.loop("loop0", "/dev/loop1");
  machine.loop("loop1", "/dev/loop0");
  CHECK(loop_files("7:0", machine.paths).size() <= 16);
  CHECK(machine.use("7:0") != "");
}

}  // namespace hdbench::bench

#include "pmem/persistent/app_direct_place.h"

#include "engine/base/catch.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_files.h"
#include "pmem/testing/test_mounts.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

Mount dax_mount(const std::filesystem::path& directory) {
  return {directory, "ext4", "/dev/pmem0", MountKind::kDisk, true, true};
}

Machine machine_with(std::vector<Mount> mounts) {
  Machine machine;
  machine.mounts = {{"/", "ext4", "/dev/vda", MountKind::kDisk, false, false},
                    {"/dev/shm", "tmpfs", "tmpfs", MountKind::kMemory, false, false}};
  machine.mounts.insert(machine.mounts.end(), mounts.begin(), mounts.end());
  return machine;
}

bool built_in() { return persistent_absence() == nullptr; }

TEST_CASE("without libpmem app-direct is absent, with the reason") {
  if (built_in()) return;
  const auto place = find_app_direct_place(machine_with({}), {}, testing::is_pmem);
  REQUIRE_FALSE(place.ok());
  CHECK(testing::contains(place.error().message,
                          "app-direct is absent here: this build has no libpmem"));
  const auto files = find_tmpfs_place(machine_with({}), {});
  REQUIRE_FALSE(files.ok());
  CHECK(
      testing::contains(files.error().message, "tmpfs is absent here: this build has no libpmem"));
}

TEST_CASE("without persistent memory app-direct is absent, and says why") {
  if (!built_in()) return;
  const auto place = find_app_direct_place(machine_with({}), {}, testing::is_not_pmem);
  REQUIRE_FALSE(place.ok());
  CHECK(place.error().message ==
        "app-direct is absent here: no persistent-memory region in /sys/bus/nd");
  CHECK(find_persistent_mount(machine_with({}), testing::is_not_pmem).error().message ==
        "no persistent-memory region in /sys/bus/nd");
}

TEST_CASE("a DAX mount that libpmem confirms is the real thing") {
  if (!built_in()) return;
  const auto place =
      find_app_direct_place(machine_with({dax_mount("/mnt/pmem")}), {}, testing::is_pmem);
  REQUIRE(place.ok());
  CHECK(place->persistent);
  CHECK(place->directory == "/mnt/pmem");
  CHECK(place->label == "real (ext4 with DAX on /dev/pmem0)");
}

TEST_CASE("a DAX mount that refuses MAP_SYNC is not persistent memory") {
  if (!built_in()) return;
  const TemporaryDirectory directory;
  const Machine machine = machine_with({dax_mount(directory.path())});
  const auto found = find_app_direct_place(machine, {}, testing::is_not_pmem);
  REQUIRE_FALSE(found.ok());
  CHECK(testing::contains(found.error().message, "is mounted with dax, but refuses MAP_SYNC"));
  const auto asked = find_app_direct_place(machine, directory.path(), testing::is_not_pmem);
  REQUIRE_FALSE(asked.ok());
  CHECK(testing::contains(asked.error().message,
                          " (ext4 on /dev/pmem0) is mounted with DAX, but "
                          "without MAP_SYNC, so it is no persistent"));
}

TEST_CASE("a directory requested that is not DAX is refused, whatever libpmem is forced to say") {
  if (!built_in()) return;
  const TemporaryDirectory on_root;
  const auto plain = find_app_direct_place(machine_with({}), on_root.path(), testing::is_pmem);
  REQUIRE_FALSE(plain.ok());
  CHECK(plain.error().kind == ErrorKind::kData);
  CHECK(testing::contains(plain.error().message,
                          "is not mounted with DAX, so it is no persistent memory"));
  const TemporaryDirectory on_tmpfs("/dev/shm");
  const auto memory = find_app_direct_place(machine_with({}), on_tmpfs.path(), testing::is_pmem);
  REQUIRE_FALSE(memory.ok());
  CHECK(memory.error().message ==
        "app-direct: --pmem-dir " + on_tmpfs.path().string() +
            " (tmpfs) is this machine's memory, so it is no persistent memory; files there are "
            "--medium tmpfs");
}

TEST_CASE("every state of a namespace has the command that brings it on") {
  if (!built_in()) return;
  Machine machine = machine_with({});
  machine.pmem.regions = {
      {"region0",
       1 << 28,
       0,
       2,
       "memory_controller",
       {{"namespace0.0", NamespaceMode::kRaw, 1 << 28, "pmem0"}}},
      {"region1", 1 << 28, 0, 2, "unknown", {{"namespace1.0", NamespaceMode::kFsdax, 1, "pmem1"}}},
      {"region2", 1 << 28, 0, 2, "unknown", {}}};
  const auto place = find_persistent_mount(machine, testing::is_not_pmem);
  REQUIRE_FALSE(place.ok());
  CHECK(place.error().message ==
        "namespace0.0 is in raw mode: ndctl create-namespace -f -e namespace0.0 -m fsdax; "
        "namespace1.0 is not mounted: mkfs.ext4 -b 4096 /dev/pmem1; mount -o dax /dev/pmem1 "
        "DIRECTORY; "
        "region2 has no namespace: ndctl create-namespace -r region2 -m fsdax");
}

TEST_CASE("persistent memory mounted without dax says which option is missing") {
  if (!built_in()) return;
  Mount mount = dax_mount("/mnt/pmem");
  mount.dax = false;
  const auto place = find_persistent_mount(machine_with({mount}), testing::is_not_pmem);
  REQUIRE_FALSE(place.ok());
  CHECK(place.error().message ==
        "/mnt/pmem (ext4 on /dev/pmem0) is mounted without dax: mount -o dax");
}

TEST_CASE("tmpfs is files in this machine's memory, and no persistent memory") {
  if (!built_in() || !std::filesystem::exists("/dev/shm")) return;
  const auto place = find_tmpfs_place(machine_with({}), {});
  REQUIRE(place.ok());
  CHECK(place->directory == "/dev/shm");
  CHECK_FALSE(place->persistent);
  CHECK(place->in_memory);
  CHECK(place->label == "real (tmpfs on /dev/shm: this machine's memory)");
  CHECK(place->reason == "tmpfs on /dev/shm: this machine's memory");
}

TEST_CASE("tmpfs is refused where the directory lies on none, or cannot be written") {
  if (!built_in()) return;
  const TemporaryDirectory on_root;
  const auto disk = find_tmpfs_place(machine_with({}), on_root.path());
  REQUIRE_FALSE(disk.ok());
  CHECK(disk.error().kind == ErrorKind::kData);
  CHECK(disk.error().message ==
        "tmpfs: " + on_root.path().string() + " (ext4 on /dev/vda) is no tmpfs");
  const auto missing = find_tmpfs_place(machine_with({}), "/nowhere");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == "tmpfs: /nowhere: not a directory that one can write");
  Machine nothing;
  CHECK_FALSE(find_tmpfs_place(nothing, {}).ok());
  CHECK(find_app_direct_place(nothing, {}, testing::is_not_pmem).error().message ==
        "app-direct is absent here: no persistent-memory region in /sys/bus/nd");
}

}  // namespace
}  // namespace hdbench::pmem

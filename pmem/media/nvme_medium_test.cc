#include "pmem/media/nvme_medium.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

const Mount kDisk{"/", "ext4", "/dev/vda", MountKind::kDisk, false, false};
const Mount kOtherDisk{"/data", "xfs", "/dev/nvme0n1", MountKind::kDisk, false, false};
const Mount kTmpfs{"/tmp", "tmpfs", "tmpfs", MountKind::kMemory, false, false};
const Mount kNetwork{"/far", "nfs4", "server:/export", MountKind::kOther, false, false};

TEST_CASE("what files lie on is called by its name, never a disk when it is none") {
  CHECK(label_disks({}).text == "unknown (no mount is listed for these files)");
  CHECK(label_disks({kDisk}).text == "real (ext4 on /dev/vda)");
  CHECK(label_disks({kDisk, kDisk, kOtherDisk}).text ==
        "real (ext4 on /dev/vda and xfs on /dev/nvme0n1)");
  CHECK(label_disks({kTmpfs}).text == "emulated (tmpfs: memory, not a disk)");
  CHECK(label_disks({kTmpfs, kDisk}).kind == MountKind::kMemory);
  CHECK(label_disks({kDisk, kNetwork}).text ==
        "real (ext4 on /dev/vda and nfs4 from server:/export: the disk below is not known)");
}

TEST_CASE("a scratch directory that is none is refused") {
  const auto nvme = make_nvme_medium({"/nowhere", {}});
  REQUIRE_FALSE(nvme.ok());
  CHECK(nvme.error().message == "nvme: scratch directory /nowhere: not a directory");
}

TEST_CASE("nvme proves cold, then warm, on a real disk") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  const auto bytes = testing::known_bytes(2000000);
  testing::write_bytes(directory.path() / "bid", bytes);
  auto nvme = make_nvme_medium({directory.path(), {}});
  REQUIRE(nvme.ok());
  const auto mapping = (*nvme)->store()->map(directory.path() / "bid");
  const auto region = (*nvme)->store()->allocate(1000000);
  REQUIRE(mapping.ok());
  REQUIRE(region.ok());
  (*nvme)->store()->copy_in(region->bytes.data(), std::span(bytes).first(1000000));
  CHECK((*nvme)->name() == "nvme");
  CHECK((*nvme)->has_cache());
  CHECK_FALSE((*nvme)->emulated());
  CHECK((*nvme)->label().starts_with("real ("));

  const auto cold = (*nvme)->prepare(Cache::kCold);
  REQUIRE(cold.ok());
  CHECK(cold->bytes_total == 3000000);
  CHECK(cold->bytes_resident == 0);
  const auto warm = (*nvme)->prepare(Cache::kWarm);
  REQUIRE(warm.ok());
  CHECK(warm->bytes_resident == 3000000);
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  CHECK(testing::equal_bytes(region->bytes, {bytes.begin(), bytes.begin() + 1000000}));
}

TEST_CASE("files in memory are labelled so, and cannot be made cold") {
  const auto shared = mount_of(read_mounts({}), "/dev/shm");
  if (!shared || shared->kind != MountKind::kMemory) return;
  const TemporaryDirectory directory("/dev/shm");
  testing::write_bytes(directory.path() / "bid", testing::known_bytes(50000));
  auto nvme = make_nvme_medium({directory.path(), {}});
  REQUIRE(nvme.ok());
  const auto mapping = (*nvme)->store()->map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK((*nvme)->label() == "emulated (tmpfs: memory, not a disk)");
  CHECK((*nvme)->emulated());
  CHECK_FALSE((*nvme)->has_cache());
  const auto cold = (*nvme)->prepare(Cache::kCold);
  REQUIRE_FALSE(cold.ok());
  CHECK(cold.error().kind == ErrorKind::kUsage);
}

}  // namespace
}  // namespace hdbench::pmem

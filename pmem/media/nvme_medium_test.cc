#include "pmem/media/nvme_medium.h"

#include <chrono>
#include <thread>

#include "engine/base/catch.h"
#include "pmem/memory/cache_state.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

TEST_CASE("an empty file and a region of no bytes map to nothing") {
  const TemporaryDirectory directory;
  testing::write_bytes(directory.path() / "empty", {});
  NvmeStore store(directory.path());
  CHECK(store.map(directory.path() / "empty")->bytes.empty());
  CHECK(store.allocate(0)->bytes.empty());
  CHECK(store.held().empty());
  CHECK(store.places().empty());
}

TEST_CASE("mapped bytes are the file's, read-only files included, and outlive the store") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  const auto bytes = testing::known_bytes(12345);
  testing::write_bytes(path, bytes);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  Mapping kept;
  {
    NvmeStore store(directory.path());
    const auto mapping = store.map(path);
    REQUIRE(mapping.ok());
    kept = *mapping;
    CHECK(store.places() == std::vector<std::filesystem::path>{path});
  }
  CHECK(testing::equal_bytes(kept.bytes, bytes));
}

TEST_CASE("a region is an unnamed file of the scratch directory") {
  const TemporaryDirectory directory;
  NvmeStore store(directory.path());
  const auto region = store.allocate(5000);
  REQUIRE(region.ok());
  CHECK(reinterpret_cast<std::size_t>(region->bytes.data()) % 4096 == 0);
  store.copy_in(region->bytes.data(), testing::known_bytes(5000));
  CHECK(testing::equal_bytes(region->bytes, testing::known_bytes(5000)));
  CHECK(testing::entries_in(directory.path()) == 0);
  CHECK(store.held().size() == 1);
}

TEST_CASE("evicted bytes that will be needed are read before they are touched") {
  const TemporaryDirectory directory(testing::directory_on_disk());
  if (!testing::on_disk(directory.path())) return;
  testing::write_bytes(directory.path() / "bid", testing::known_bytes(std::size_t{1} << 20));
  NvmeStore store(directory.path());
  const auto mapping = store.map(directory.path() / "bid");
  REQUIRE(mapping.ok());
  CHECK_FALSE(store.will_need({}));
  REQUIRE(make_cold(store.held()).ok());
  CHECK(store.will_need(mapping->bytes));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (resident_bytes(mapping->bytes) < mapping->bytes.size() &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  CHECK(resident_bytes(mapping->bytes) == mapping->bytes.size());
  CHECK_FALSE(store.will_need(mapping->bytes));
}

TEST_CASE("a file that was truncated under its mapping may be requested") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  testing::write_bytes(path, testing::known_bytes(std::size_t{4} << 20));
  NvmeStore store(directory.path());
  const auto mapping = store.map(path);
  REQUIRE(mapping.ok());
  std::filesystem::resize_file(path, 5000);
  CHECK(store.will_need(mapping->bytes));
  store.will_need(mapping->bytes.last(4096));
  CHECK(testing::equal_bytes(mapping->bytes.first(4096), testing::known_bytes(4096)));
}

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

#include "pmem/persistent/device_dax.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/bytes.h"
#include "engine/base/catch.h"
#include "pmem/media/app_direct_medium.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

const std::string kPlace = "devices/ndbus0/region0/dax0.1/dax0.1";

// An ordinary file where the device would be.
Result<FileHandle> open_file_instead(const std::filesystem::path& device) {
  FileHandle file(::open(device.c_str(), O_RDWR | O_CLOEXEC));
  if (!file.is_open()) return file_error(device, "cannot open", errno);
  return file;
}

struct FakeDevice {
  explicit FakeDevice(std::size_t bytes, bool system_ram = false) {
    machine.dax("dax0.1", kPlace, 2, system_ram);
    machine.sys(kPlace + "/size", std::to_string(bytes));
    testing::write_text(device(), "");
    REQUIRE(::truncate(device().c_str(), static_cast<off_t>(bytes)) == 0);
  }
  std::filesystem::path device() const { return machine.paths().sysfs / "dax0.1"; }
  Result<std::shared_ptr<DeviceDax>> open() const {
    return DeviceDax::open(device(), machine.paths().sysfs, open_file_instead);
  }

  FakeMachine machine;
};

TEST_CASE("what is no DAX device for mmap is refused in one line") {
  const FakeDevice small(kMiB);
  CHECK(testing::contains(small.open().error().message,
                          "1048576 bytes, expected at least its alignment of 2097152"));
  const FakeDevice ram(64 * kMiB, true);
  CHECK(testing::contains(ram.open().error().message,
                          "in system-ram mode, node 2: use --medium numa:2, or daxctl "
                          "reconfigure-device --mode=devdax dax0.1"));
  const auto unknown = DeviceDax::open("/dev/dax7.7", ram.machine.paths().sysfs);
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().kind == ErrorKind::kData);
  CHECK(testing::contains(unknown.error().message, "/dev/dax7.7: no DAX device of that name in "));
  // The real opener takes no ordinary file.
  const FakeDevice file(64 * kMiB);
  CHECK(
      testing::contains(DeviceDax::open(file.device(), file.machine.paths().sysfs).error().message,
                        "not a character device"));
}

TEST_CASE("regions are cut from the device, zero-filled and aligned, and used again") {
  const FakeDevice fake(8 * kMiB + 4096);
  const auto opened = fake.open();
  REQUIRE(opened.ok());
  DeviceDax& device = **opened;
  CHECK(device.about().bytes == 8 * kMiB);
  CHECK(device.take(0)->bytes.empty());
  {
    const auto first = device.take(3 * kMiB);
    const auto second = device.take(2 * kMiB);
    REQUIRE(first.ok());
    REQUIRE(second.ok());
    CHECK(reinterpret_cast<std::size_t>(first->bytes.data()) % kHugePageBytes == 0);
    CHECK(second->bytes.data() == first->bytes.data() + 4 * kMiB);
    std::fill(first->bytes.begin(), first->bytes.end(), std::byte{7});
    const auto third = device.take(2 * kMiB + 1);
    REQUIRE_FALSE(third.ok());
    CHECK(third.error().message ==
          "app-direct: 2097153 bytes wanted on dax0.1, 2097152 of its 8388608 free in one piece");
  }
  const auto whole = device.take(8 * kMiB);
  REQUIRE(whole.ok());
  CHECK(std::all_of(whole->bytes.begin(), whole->bytes.end(),
                    [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST_CASE("app-direct lies on the device, and the proof tells a file from it") {
  if (persistent_absence() != nullptr) return;
  const FakeDevice fake(64 * kMiB);
  auto opened = fake.open();
  REQUIRE(opened.ok());
  const auto path = fake.machine.paths().sysfs / "bid";
  const auto bytes = testing::known_bytes(5 * kMiB + 17);
  testing::write_bytes(path, bytes);
  const auto medium = make_app_direct_medium_at(place_on_device(*opened));
  CHECK(medium->label() == "real (device DAX dax0.1, 64 MiB, persistent memory)");
  const auto mapping = medium->store()->map(path);
  REQUIRE(mapping.ok());
  CHECK(testing::equal_bytes(mapping->bytes, bytes));
  CHECK(medium->prepare(Cache::kWarm).ok());
  const auto refused = medium->store()->allocate(64 * kMiB);
  REQUIRE_FALSE(refused.ok());
  CHECK(testing::contains(refused.error().message, "67108864 bytes wanted on dax0.1"));
  // An ordinary file is mapped without MAP_SYNC.
  const auto proof = medium->verify_placement();
  REQUIRE_FALSE(proof.ok());
  CHECK(testing::contains(proof.error().message, "that are not mapped there with MAP_SYNC"));
}

}  // namespace
}  // namespace hdbench::pmem

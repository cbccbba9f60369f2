#include "pmem/readahead/bounce.h"

#include <sys/sysmacros.h>

#include "engine/base/catch.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/testing/test_files.h"

namespace hdbench {
namespace {

TEST_CASE("what leaves a bounce buffer is what was in it, and nothing beyond it is written") {
  const auto room = map_huge_memory(std::size_t{64} << 10);
  REQUIRE(room.ok());
  for (const std::size_t bytes : {0, 1, 63, 64, 4095, 4096, 4097, 12345, 49152}) {
    std::fill(room->bytes.begin(), room->bytes.end(), std::byte{0xee});
    const auto expected = testing::known_bytes(bytes + 3);
    copy_from_bounce(room->bytes.data() + 128, std::span(expected).subspan(3));
    CHECK(testing::equal_bytes(room->bytes.subspan(128, bytes), std::span(expected).subspan(3)));
    CHECK(std::all_of(room->bytes.begin(), room->bytes.begin() + 128,
                      [](std::byte byte) { return byte == std::byte{0xee}; }));
    CHECK(std::all_of(room->bytes.begin() + 128 + static_cast<std::ptrdiff_t>(bytes),
                      room->bytes.end(), [](std::byte byte) { return byte == std::byte{0xee}; }));
  }
}

TEST_CASE("a host copies what lies on a virtio disk") {
  const testing::TemporaryDirectory machine;
  const auto sysfs = machine.path();
  const auto link = [&](const std::string& at, const std::string& to) {
    std::filesystem::create_directories((sysfs / at).parent_path());
    std::filesystem::create_symlink(to, sysfs / at);
  };
  const auto device = [&](const std::string& name, const std::string& number,
                          const std::string& bus) {
    std::filesystem::create_directories(sysfs / "class/block" / name);
    link("dev/block/" + number, "../../class/block/" + name);
    if (!bus.empty()) link("class/block/" + name + "/device/subsystem", "../../../bus/" + bus);
  };
  device("vda", "254:0", "virtio");
  device("nvme0n1", "259:0", "nvme");
  device("dm-0", "253:0", "");
  link("class/block/dm-0/slaves/nvme0n1", "../../nvme0n1");
  device("dm-1", "253:1", "");
  link("class/block/dm-1/slaves/nvme0n1", "../../nvme0n1");
  link("class/block/dm-1/slaves/vda", "../../vda");
  CHECK(may_be_copied_by_host(sysfs, gnu_dev_makedev(254, 0)));
  CHECK_FALSE(may_be_copied_by_host(sysfs, gnu_dev_makedev(259, 0)));
  CHECK_FALSE(may_be_copied_by_host(sysfs, gnu_dev_makedev(253, 0)));
  CHECK(may_be_copied_by_host(sysfs, gnu_dev_makedev(253, 1)));
  CHECK_FALSE(may_be_copied_by_host(sysfs, gnu_dev_makedev(8, 1)));
}

}  // namespace
}  // namespace hdbench

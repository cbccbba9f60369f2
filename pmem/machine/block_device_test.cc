#include "pmem/machine/block_device.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;

void make_nvme(FakeMachine& fake) {
  const std::string disk = "devices/pci0000:00/nvme/nvme0/nvme0n1";
  fake.sys(disk + "/size", "2097152");
  fake.sys(disk + "/queue/rotational", "0");
  fake.sys(disk + "/queue/scheduler", "[none] mq-deadline kyber");
  fake.sys(disk + "/queue/read_ahead_kb", "128");
  fake.sys(disk + "/queue/nr_requests", "1023");
  fake.sys(disk + "/queue/max_sectors_kb", "1280");
  fake.sys(disk + "/queue/logical_block_size", "512");
  fake.sys(disk + "/queue/physical_block_size", "4096");
  fake.sys(disk + "/queue/write_cache", "write back");
  fake.sys(disk + "/queue/dax", "0");
  fake.sys(disk + "/mq/0/cpu_list", "0");
  fake.sys(disk + "/mq/1/cpu_list", "1");
  fake.sys(disk + "/device/model", "SOME NVME DISK     ");
  fake.sys(disk + "/device/numa_node", "1");
  fake.link(disk + "/device/subsystem", "class/nvme");
  fake.sys(disk + "/nvme0n1p2/partition", "2");
  fake.sys(disk + "/nvme0n1p2/size", "2048");
  fake.link("class/block/nvme0n1", disk);
  fake.link("class/block/nvme0n1p2", disk + "/nvme0n1p2");
}

TEST_CASE("a device without a queue is still a device") {
  FakeMachine fake;
  fake.sys("class/block/vda/size", "8");
  const auto device = read_block_device(fake.paths().sysfs, "vda");
  REQUIRE(device.has_value());
  CHECK(device->bytes == 4096);
  CHECK_FALSE(device->rotational.has_value());
  CHECK_FALSE(device->readahead_bytes.has_value());
  CHECK(describe(*device) == "/dev/vda: 0.0 GiB");
}

TEST_CASE("a partition has its own size and its disk's queue") {
  FakeMachine fake;
  make_nvme(fake);
  const auto device = read_block_device(fake.paths().sysfs, "nvme0n1p2");
  REQUIRE(device.has_value());
  CHECK(device->disk == "nvme0n1");
  CHECK(device->bytes == std::uint64_t{1} << 20);
  CHECK(device->model == "SOME NVME DISK");
  CHECK(device->transport == "nvme");
  CHECK(device->rotational == false);
  CHECK(device->scheduler == "none");
  CHECK(device->readahead_bytes == 131072u);
  CHECK(device->requests_max == 1023u);
  CHECK(device->request_bytes_max == 1310720u);
  CHECK(device->logical_block_bytes == 512u);
  CHECK(device->physical_block_bytes == 4096u);
  CHECK(device->hardware_queues == 2);
  CHECK(device->write_cache == "write back");
  CHECK(device->numa_node == 1);
  CHECK_FALSE(device->dax);
}

TEST_CASE("a description has what matters to a cold read") {
  FakeMachine fake;
  make_nvme(fake);
  const auto disk = read_block_device(fake.paths().sysfs, "nvme0n1");
  REQUIRE(disk.has_value());
  CHECK(describe(*disk) ==
        "/dev/nvme0n1: 1.0 GiB, SOME NVME DISK, nvme, not rotational, scheduler none, readahead "
        "128 KiB, 1023 requests in each of 2 queues of up to 1280 KiB, near node 1");
}

TEST_CASE("a mapped device names what it lies on, and one scheduler word is the scheduler") {
  FakeMachine fake;
  fake.sys("class/block/dm-0/size", "2048");
  fake.sys("class/block/dm-0/slaves/sda1/size", "1");
  fake.sys("class/block/dm-0/slaves/sdb1/size", "1");
  fake.sys("class/block/dm-0/queue/scheduler", "none");
  fake.sys("class/block/dm-0/queue/rotational", "1");
  const auto device = read_block_device(fake.paths().sysfs, "dm-0");
  REQUIRE(device.has_value());
  CHECK(device->below == std::vector<std::string>{"sda1", "sdb1"});
  CHECK(describe(*device) == "/dev/dm-0 over sda1 sdb1: 0.0 GiB, rotational, scheduler none");
}

}  // namespace
}  // namespace hdbench::pmem

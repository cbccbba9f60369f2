#include "pmem/machine/memory_setup.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::contains;
using testing::FakeMachine;
using Commands = std::vector<std::string>;

constexpr std::uint64_t kGib64 = std::uint64_t{64} << 30;
const std::string kPolicy = "devices/system/memory/auto_online_blocks";
const std::string kReserved = "devices/platform/hmem.0/dax0.0";

// A device of reserved memory beside a node with CPUs.
void make_reserved(FakeMachine& fake, bool system_ram, int target_node = 1) {
  fake.node(0, "0-7", 65536);
  fake.dax("dax0.0", kReserved, target_node, system_ram);
}

std::vector<SetupStep> steps_of(const FakeMachine& fake, const SetupWish& wish = {}) {
  return setup_steps(read_machine(fake.paths()), wish);
}

TEST_CASE("a machine without such devices, and one where all is as wanted, want nothing") {
  FakeMachine fake;
  CHECK(steps_of(fake).empty());
  make_cxl(fake);
  CHECK(steps_of(fake).empty());
  fake.blocks(2, 528, {"Movable", "Movable"});
  CHECK(steps_of(fake).empty());
}

TEST_CASE("a device that came up as devdax is made memory, as the kernel's policy requires") {
  FakeMachine fake;
  make_reserved(fake, false);
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].device == "dax0.0");
  CHECK(steps[0].found == "is in devdax mode");
  CHECK(steps[0].commands == Commands{"daxctl reconfigure-device --mode=system-ram dax0.0"});
  const std::string forced = "daxctl reconfigure-device --mode=system-ram --force dax0.0";
  fake.sys(kPolicy, "offline");
  CHECK(steps_of(fake)[0].commands == steps[0].commands);
  fake.sys(kPolicy, "online_movable");
  CHECK(steps_of(fake)[0].commands == Commands{forced});
  fake.sys(kPolicy, "online");
  CHECK(steps_of(fake)[0].commands ==
        Commands{"echo online_movable > /sys/devices/system/memory/auto_online_blocks", forced});
  CHECK(steps_of(fake, {"devdax", {}}).empty());
  CHECK(steps_of(fake, {"system-ram", "dax0.0"}).empty());
  CHECK(steps_of(fake, {"", "dax1.0"}).size() == 1);
}

TEST_CASE("a device that came up as system-ram is made devdax where that is wanted") {
  FakeMachine fake;
  make_reserved(fake, true);
  fake.node(1, "", 65536);
  CHECK(steps_of(fake).empty());
  for (const SetupWish& wish : {SetupWish{"devdax", {}}, SetupWish{"", "dax0.0"}}) {
    const auto steps = steps_of(fake, wish);
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].found == "is system-ram of node1");
    CHECK(steps[0].commands == Commands{"daxctl reconfigure-device --mode=devdax --force dax0.0"});
    CHECK(contains(steps[0].remark, "memhp_default_state=offline"));
  }
  fake.blocks(1, 65, {"Normal", "offline"});
  CHECK(steps_of(fake, {"devdax", {}})[0].remark.starts_with("1 of its 2 blocks may hold"));
}

TEST_CASE("persistent memory is wanted as devdax, if nothing else is said") {
  FakeMachine fake;
  make_app_direct(fake);
  CHECK(steps_of(fake).empty());
  const auto steps = steps_of(fake, {"system-ram", {}});
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is persistent memory in devdax mode");
  CHECK(steps[0].remark == "what it holds is lost; then --medium numa:2");
}

TEST_CASE("memory in a zone for the kernel's data is taken online again as movable") {
  FakeMachine fake;
  make_reserved(fake, true);
  fake.node(1, "", 65536);
  fake.blocks(1, 65, {"Normal", "Normal", "Movable"});
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found ==
        "is system-ram of node1, and 2 of its 3 memory blocks are online in a zone for the "
        "kernel's data");
  CHECK(steps[0].commands ==
        Commands{"daxctl offline-memory dax0.0", "daxctl online-memory dax0.0"});
  CHECK(contains(steps[0].remark, "memhp_default_state=online_movable"));
  fake.sys(kPolicy, "online");
  CHECK(steps_of(fake)[0].commands.size() == 3);
}

TEST_CASE("offline blocks and a node that is not online are taken online") {
  FakeMachine fake;
  make_reserved(fake, true);
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is system-ram of node1, which is not online");
  CHECK(steps[0].commands == Commands{"daxctl online-memory dax0.0"});
  fake.node(1, "", 65536);
  fake.blocks(1, 65, {"Movable", "offline", "offline"});
  steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is system-ram of node1, and 2 of its 3 memory blocks are offline");
}

TEST_CASE("of devices that share a node, blocks are known by the addresses that root sees") {
  FakeMachine fake;
  make_reserved(fake, true);
  fake.node(1, "", 65536);
  fake.blocks(1, 64, {"Movable", "offline"});
  fake.sys(kReserved + "/size", "134217728");
  fake.sys(kReserved + "/resource", "0x200000000");
  CHECK(steps_of(fake).empty());
}

TEST_CASE("a device on no node, and one on the CPUs' node, say what follows, without commands") {
  FakeMachine fake;
  make_reserved(fake, false, -1);
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is in devdax mode and on no node (target_node -1)");
  CHECK(steps[0].commands.empty());
  CHECK(contains(steps[0].remark, "--pmem-dir /dev/dax0.0"));
  FakeMachine other;
  make_reserved(other, true, 0);
  other.blocks(0, 0, {"Normal", "Normal"});
  steps = steps_of(other);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is system-ram of node0, which has CPUs");
  CHECK(steps[0].commands.empty());
}

TEST_CASE("memory devices without a region get one, over all that are alike") {
  FakeMachine fake;
  fake.node(0, "0-7", 65536);
  fake.root_decoder("decoder0.0", 2 * kGib64, "1");
  fake.memdev(0, kGib64, "", 0);
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].device == "mem0");
  CHECK(steps[0].found == "has 64.0 GiB and no region");
  CHECK(steps[0].commands == Commands{"cxl create-region -m -t ram -d decoder0.0 -w 1 mem0"});
  fake.memdev(1, kGib64, "", 0);
  steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].commands == Commands{"cxl create-region -m -t ram -d decoder0.0 -w 2 mem0 mem1"});
  fake.memdev(1, kGib64 / 2, "", 0);
  CHECK(steps_of(fake)[0].commands ==
        Commands{"cxl create-region -m -t ram -d decoder0.0 -w 1 mem0",
                 "cxl create-region -m -t ram -d decoder0.0 -w 1 mem1"});
  // Which of several root decoders reaches a device, the tool knows.
  fake.root_decoder("decoder0.1", kGib64, "1");
  CHECK(steps_of(fake)[0].commands.front() == "cxl create-region -m -t ram -w 1 mem0");
  fake.root_decoder("decoder0.1", kGib64, "0");
  CHECK(steps_of(fake)[0].commands.front() ==
        "cxl create-region -m -t ram -d decoder0.0 -w 1 mem0");
}

TEST_CASE("of two devices of which one is used, the other gets a region, and both are named") {
  FakeMachine fake;
  make_cxl(fake);
  fake.memdev(1, std::uint64_t{32} << 30, "", 0);
  auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].device == "mem1");
  // The window of decoder0.0 is taken.
  CHECK(steps[0].commands == Commands{"cxl create-region -m -t ram -w 1 mem1"});
  CHECK(steps[0].remark.starts_with("of 2 devices one is used (mem0)"));
  fake.sys("devices/platform/ACPI0017:00/root0/decoder0.0/size", "0x1000000000");
  CHECK(steps_of(fake)[0].commands ==
        Commands{"cxl create-region -m -t ram -d decoder0.0 -w 1 mem1"});
}

TEST_CASE("devices that the firmware uses, or that regions may have unseen, get no region") {
  FakeMachine fake;
  fake.node(0, "0-7", 65536);
  fake.root_decoder("decoder0.0", kGib64, "1");
  fake.memdev(0, kGib64, "", kGib64);
  const auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(contains(steps[0].found, "used by the firmware"));
  CHECK(steps[0].commands.empty());
  FakeMachine unseen;
  make_cxl(unseen);
  Machine machine = read_machine(unseen.paths());
  machine.cxl.decoders.pop_back();
  CHECK(setup_steps(machine).empty());
}

TEST_CASE("regions that are not committed, or have no DAX device, are named") {
  FakeMachine fake;
  make_cxl(fake);
  Machine machine = read_machine(fake.paths());
  machine.cxl.regions[0].dax_devices.clear();
  auto steps = setup_steps(machine);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].commands == Commands{"modprobe dax_cxl"});
  machine.cxl.regions[0].committed = false;
  steps = setup_steps(machine);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].commands == Commands{"cxl enable-region region0"});
}

TEST_CASE("a device near no node is said where there are nodes to choose from") {
  FakeMachine fake;
  make_cxl(fake);
  fake.sys("devices/pci0000:34/0000:34:01.0/0000:35:00.0/mem0/numa_node", "-1");
  CHECK(steps_of(fake).empty());
  fake.node(1, "8-15", 65536);
  const auto steps = steps_of(fake);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].found == "is near no node (numa_node -1)");
}

}  // namespace
}  // namespace hdbench::pmem

#include "pmem/media/media_list.h"

#include "engine/base/catch.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_machines.h"
#include "pmem/testing/test_mounts.h"

namespace hdbench::pmem {
namespace {

using testing::FakeMachine;
using testing::TemporaryDirectory;

TEST_CASE("a machine that shows nothing still has a line for each medium") {
  const TemporaryDirectory root;
  const auto media = list_media({}, read_machine({root.path(), root.path()}), testing::is_not_pmem);
  REQUIRE(media.size() == 7);
  const std::vector<std::string> names = {"nvme",        "dram", "tmpfs", "app-direct",
                                          "memory-mode", "cxl",  "numa"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(media[i].name == names[i]);
    CHECK_FALSE(media[i].reason.empty());
  }
  CHECK(media[3].state == "absent");
  CHECK(media[4].state == "absent");
  CHECK(media[5].state == "absent");
  CHECK(media[6].state == "absent");
}

TEST_CASE("a plain machine says what is missing for memory-mode and cxl") {
  FakeMachine fake;
  fake.node(0, "0-1", 1);
  Machine machine = read_machine(fake.paths());
  const std::string hint = "; emulate it as cxl:cxl-asic-ddr5";
  const std::string far =
      "dax1.0 is system-ram of node3, which is not online: daxctl online-memory dax1.0";
  CHECK(memory_mode_status(machine).reason ==
        "no memory-side cache in /sys/devices/system/node; emulate it as "
        "memory-mode:near=SIZE (such as near=2GiB)");
  CHECK(cxl_status(machine).reason == "no CPU-less NUMA node with memory" + hint);
  machine.pmem.dax_devices = {{"dax0.0", 1 << 30, 2, false}, {"dax1.0", 1 << 30, 3, true}};
  CHECK(cxl_status(machine).reason ==
        "no CPU-less NUMA node with memory; dax0.0 is in devdax mode: "
        "daxctl reconfigure-device --mode=system-ram dax0.0; " +
            far + hint);
  machine.pmem.dax_devices = {{"dax2.0", 1 << 30, 0, true}};
  CHECK(cxl_status(machine).reason ==
        "no CPU-less NUMA node with memory; dax2.0 is system-ram of node0, which has CPUs "
        "(its pages cannot be distinguished from the CPUs' own memory: firmware that gives it a "
        "proximity domain of its own (ACPI SRAT))" +
            hint);
}

TEST_CASE("a slower CPU-less node, a memory-side cache and a DAX mount are real") {
  FakeMachine fake;
  fake.node(0, "0-1", 4096);
  fake.node(1, "", 1024);
  fake.sys("devices/system/node/node0/memory_side_cache/index1/size", "134217728");
  fake.sys("devices/system/node/node0/memory_side_cache/index1/line_size", "64");
  fake.sys("devices/virtual/memory_tiering/memory_tier4/nodelist", "0");
  fake.sys("devices/virtual/memory_tiering/memory_tier22/nodelist", "1");
  fake.proc("meminfo", "MemTotal: 5242880 kB\n");
  fake.proc("self/mountinfo",
            "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
            "40 27 259:0 / /mnt/pmem rw - ext4 /dev/pmem0 rw,dax=always\n");
  const Machine machine = read_machine(fake.paths());
  const auto media = list_media({"/data", {}}, machine, testing::is_pmem);
  REQUIRE(media.size() == 8);
  CHECK(media[0].state == "real");
  CHECK(media[0].reason == "/data (ext4 on /dev/vda)");
  CHECK(media[1].state == "real");
  CHECK(testing::contains(media[1].reason, "5.0 GiB on 2 nodes"));
  if (persistent_absence() == nullptr) {
    CHECK(media[3].state == "real");
    CHECK(media[3].reason == "/mnt/pmem (ext4 on /dev/pmem0)");
  } else {
    CHECK(media[3].state == "absent");
  }
  CHECK(media[4].state == "real");
  CHECK(testing::contains(media[4].reason, "node0 has a memory-side cache of 128 MiB"));
  CHECK(media[5].state == "real");
  CHECK(media[5].reason == "node1 has 1.0 GiB and no CPUs (a memory tier slower than DRAM's)");
  CHECK(media[6].name == "numa:0");
  CHECK(media[7].name == "numa:1");
  CHECK(media[7].reason == "1.0 GiB, no CPUs");
}

TEST_CASE("Optane machines say what each namespace is, and what would make it usable") {
  FakeMachine fake;
  make_app_direct(fake);
  const Machine machine = read_machine(fake.paths());
  const auto media = list_media({"/data", {}}, machine, testing::is_not_pmem);
  CHECK(testing::contains(media[5].reason,
                          "dax0.1 is persistent memory in devdax mode: daxctl reconfigure-device "
                          "--mode=system-ram dax0.1 (what it holds is lost; then --medium "
                          "numa:2)"));
  if (persistent_absence() != nullptr) return;
  CHECK(
      testing::contains(media[3].reason, "namespace0.1 is in raw mode: ndctl create-namespace -f"));
  CHECK(testing::contains(media[3].reason, "region1 has no namespace"));
}

TEST_CASE("a CXL node is real; devices that are no node yet say what they lack") {
  FakeMachine fake;
  make_cxl(fake);
  Machine machine = read_machine(fake.paths());
  CHECK(cxl_status(machine).state == "real");
  CHECK(cxl_status(machine).reason == "node2 has 32.0 GiB and no CPUs (cxl)");
  machine.nodes.pop_back();
  machine.pmem.dax_devices.clear();
  const std::string none = "no CPU-less NUMA node with memory; ";
  const std::string hint = "; emulate it as cxl:cxl-asic-ddr5";
  machine.cxl.regions[0].dax_devices.clear();
  CHECK(cxl_status(machine).reason == none + "region0 has no DAX device: modprobe dax_cxl" + hint);
  machine.cxl.regions[0].committed = false;
  CHECK(cxl_status(machine).reason ==
        none + "region0 is not committed: cxl enable-region region0" + hint);
  machine.cxl.regions.clear();
  machine.cxl.decoders.pop_back();
  CHECK(cxl_status(machine).reason ==
        none +
            "mem0 has 32.0 GiB and no region: cxl create-region -m -t ram -d decoder0.0 -w 1 "
            "mem0" +
            hint);
  machine.cxl.memdevs.clear();
  CHECK(cxl_status(machine).reason == none + "the CXL bus has no memory devices" + hint);
}

TEST_CASE("a node that may not be used is absent with the reason, and takes no other with it") {
  FakeMachine fake;
  make_cxl(fake);
  fake.proc("self/status", "Name:\thdbench\nMems_allowed_list:\t0\n");
  const Machine machine = read_machine(fake.paths());
  const std::string why = "not allowed to this process (Mems_allowed_list: 0)";
  CHECK(cxl_status(machine).state == "absent");
  CHECK(testing::contains(cxl_status(machine).reason, "node2: " + why));
  const auto media = list_media({"/data", {}}, machine, testing::is_not_pmem);
  REQUIRE(media.size() == 8);
  CHECK(media[1].state == "real");
  CHECK(testing::contains(media[1].reason, " on 1 node"));
  CHECK(media[6].name == "numa:0");
  CHECK(media[6].state == "real");
  CHECK(media[7].state == "absent");
  CHECK(media[7].reason == why);
}

TEST_CASE("of nodes without memory there is no line, of offline and untold ones the reason") {
  FakeMachine fake;
  fake.node(0, "0-3", 1024);
  fake.node(1, "", 0);
  fake.node(8, "", 1024);
  fake.sys("devices/system/node/node9/cpulist", "");
  fake.sys("devices/system/node/online", "0-1,9");
  const auto media = list_media({"/data", {}}, read_machine(fake.paths()), testing::is_not_pmem);
  REQUIRE(media.size() == 9);
  CHECK(media[6].name == "numa:0");
  CHECK(media[7].name == "numa:8");
  CHECK(media[7].reason == "offline");
  CHECK(media[8].name == "numa:9");
  CHECK(media[8].reason == "its meminfo cannot be read");
}

TEST_CASE("ordinary memory on a node without CPUs is numa:N and says why it is not cxl") {
  FakeMachine fake;
  fake.node(0, "", 12000);
  fake.node(2, "0-1", 0);
  const Machine machine = read_machine(fake.paths());
  CHECK(cxl_status(machine).state == "absent");
  const std::string why =
      "not known to be CXL (no CXL region, DAX device or slower memory tier behind it)";
  CHECK(cxl_status(machine).reason.starts_with("node0 is " + why + ": --medium numa:0"));
  const auto media = list_media({"/data", {}}, machine, testing::is_not_pmem);
  CHECK(media.back().name == "numa:0");
  CHECK(media.back().state == "real");
  CHECK(media.back().reason == "11.7 GiB, no CPUs: " + why);
  CHECK(testing::contains(media[1].reason, " on 1 node"));
}

TEST_CASE("a near cache before memory that may not be used is no Memory Mode") {
  FakeMachine fake;
  make_memory_mode(fake);
  fake.sys("devices/system/node/online", "2");
  CHECK(memory_mode_status(read_machine(fake.paths())).reason.starts_with("node0: offline; "));
}

TEST_CASE("scratch space in memory or on a network is not called a disk") {
  Machine machine;
  machine.mounts = {{"/", "overlay", "overlay", MountKind::kOther, false, false},
                    {"/ram", "tmpfs", "tmpfs", MountKind::kMemory, false, false}};
  CHECK(list_media({"/ram", {}}, machine, testing::is_not_pmem)[0].state == "emulated");
  CHECK(list_media({"/box", {}}, machine, testing::is_not_pmem)[0].reason ==
        "/box (overlay): the disk below is not known");
}

using testing::contains;

Machine container() {
  FakeMachine fake;
  make_container(fake);
  return read_machine(fake.paths());
}

TEST_CASE("a bare word of what the machine lacks names its kind's default profile") {
  const Machine machine = container();
  const auto cxl = present_medium("cxl", {}, machine, testing::is_not_pmem);
  CHECK(cxl.word == "cxl:cxl-asic-ddr5");
  CHECK(cxl.note ==
        "note: cxl: no CXL memory here (no NUMA nodes shown in /sys/devices/system/node); emulated "
        "by the profile cxl-asic-ddr5");
  const auto memory_mode = present_medium("memory-mode", {}, machine, testing::is_not_pmem);
  CHECK(memory_mode.word == "memory-mode:optane-memory-mode+near=2GiB");
  CHECK(contains(memory_mode.note, "note: memory-mode: no Memory Mode here ("));
  CHECK(contains(memory_mode.note,
                 "; emulated by the profile optane-memory-mode with a near cache of 2GiB "
                 "(near=SIZE: another)"));
  const auto app_direct = present_medium("app-direct", {}, machine, testing::is_not_pmem);
  CHECK(app_direct.word == "app-direct:optane-100-6dimm");
  CHECK(contains(app_direct.note, "note: app-direct: no persistent memory here ("));
  CHECK(contains(app_direct.note, "); emulated by the profile optane-100-6dimm"));
}

TEST_CASE("every default profile can be emulated as it is named") {
  const Machine machine = container();
  for (const std::string name : {"app-direct", "memory-mode", "cxl"}) {
    const auto word =
        parse_medium_spec(present_medium(name, {}, machine, testing::is_not_pmem).word);
    REQUIRE(word.ok());
    CHECK(is_emulated(*word));
    CHECK(check_emulated(*word).ok());
  }
}

TEST_CASE("words with a profile, of other media, and of none stay as they are") {
  const Machine machine = container();
  for (const std::string word :
       {"nvme", "dram", "tmpfs", "numa:1", "app-direct:optane-200-8dimm", "cxl:cxl-fpga",
        "memory-mode:optane-memory-mode", "cxl:cxl-asic-ddr5+interleave=3:1", "nvme:ebs-gp3", "",
        "floppy", "cxl:", "cxl:near=2GiB"}) {
    INFO(word);
    const auto present = present_medium(word, {}, machine, testing::is_not_pmem);
    CHECK(present.word == word);
    CHECK(present.note.empty());
  }
}

TEST_CASE("the real thing is never replaced") {
  FakeMachine with_cxl;
  make_cxl(with_cxl);
  CHECK(present_medium("cxl", {}, read_machine(with_cxl.paths()), testing::is_not_pmem).word ==
        "cxl");
  FakeMachine cached;
  make_memory_mode(cached);
  CHECK(
      present_medium("memory-mode", {}, read_machine(cached.paths()), testing::is_not_pmem).word ==
      "memory-mode");
  Machine machine = container();
  machine.mounts.push_back({"/mnt/pmem", "ext4", "/dev/pmem0", MountKind::kDisk, true, true});
  const auto present = present_medium("app-direct", {}, machine, testing::is_pmem);
  CHECK(present.word ==
        (persistent_absence() == nullptr ? "app-direct" : "app-direct:optane-100-6dimm"));
}

TEST_CASE("CXL memory that cannot be had is emulated, with the reason") {
  FakeMachine fake;
  make_cxl(fake);
  Machine machine = read_machine(fake.paths());
  machine.nodes[1].unusable = "cannot bind memory to node 2: Operation not permitted";
  const auto present = present_medium("cxl", {}, machine, testing::is_not_pmem);
  CHECK(present.word == "cxl:cxl-asic-ddr5");
  CHECK(contains(present.note, machine.nodes[1].unusable));
}

TEST_CASE("a directory that app-direct is given is never replaced by a profile") {
  MediumOptions options;
  options.pmem_dir = "/somewhere";
  CHECK(present_medium("app-direct", options, container(), testing::is_not_pmem).word ==
        "app-direct");
  CHECK(present_medium("cxl", options, container(), testing::is_not_pmem).word ==
        "cxl:cxl-asic-ddr5");
}

}  // namespace
}  // namespace hdbench::pmem
